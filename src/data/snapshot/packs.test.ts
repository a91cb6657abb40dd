import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { AxisFiles } from './axis-files.ts';
import { AxisWriter } from './axis-writer.ts';
import { SnapshotBuilder } from './builder.ts';
import { diffSnapshots } from './diff.ts';
import {
  axisFileNames,
  axisFolder,
  fileNames,
  packedParquetPath,
  packsOf,
  type Manifest,
} from './layout.ts';
import { choosePacks, type LooseAxis } from './packing.ts';
import { readManifest, snapshotFolder } from './snapshots.ts';
import { verifyFolder } from './verify.ts';

test('small axes become packs when there are many, and have no folder then', () => {
  using data = temporaryFolder();
  const manifest = publish(data.path, numbered(4), 5);
  assert.deepEqual([manifest.formatVersion, packsOf(manifest)], [1, []]);
  const next = publish(data.path, { file_9: 10 }, 5);
  assert.equal(next.formatVersion, 2);
  assert.deepEqual(packsOf(next), [
    ['packs/0001.bin', ['file_1', 'file_2', 'file_3', 'file_4', 'file_9']],
  ]);
  const parquet = packsOf(next)[0]![1].map(packedParquetPath);
  assert.deepEqual(Object.keys(next.files), ['packs/0001.bin', ...parquet]);
  assert.equal(existsSync(join(snapshotFolder(data.path, next.id), 'axes')), false);
});

test('a refreshed axis leaves its pack as it is until the pack is half empty', () => {
  using data = temporaryFolder();
  const first = publish(data.path, numbered(9), 5);
  const facts = first.files['packs/0001.bin'];
  const second = publish(data.path, { file_1: 11 }, 5);
  assert.deepEqual(second.files['packs/0001.bin'], facts);
  assert.equal(packsOf(second)[0]![1].length, 8);
  const third = publish(data.path, { file_1: 12, file_2: 11, file_3: 11, file_4: 11 }, 9);
  assert.deepEqual(third.files['packs/0001.bin'], facts);
  const last = publish(data.path, { file_5: 11 }, 9);
  assert.equal(last.files['packs/0001.bin'], undefined);
  assert.deepEqual(packsOf(last), [['packs/0002.bin', Object.keys(numbered(9))]]);
});

test('a pack has no more records than a chunk, and an axis of over a quarter is in none', () => {
  const small = eachOf(9, (at) => looseAxis(10 + at, 9_000));
  const axes = [looseAxis(9, 16_385), looseAxis(8, 1, 1 << 25), ...small];
  const packs = choosePacks(axes, 1);
  assert.deepEqual(packs, [eachOf(7, (at) => `file_${10 + at}`), ['file_17', 'file_18']]);
  assert.deepEqual(choosePacks(axes, 4), packs.slice(0, 1));
  assert.deepEqual(choosePacks(axes, 10), []);
});

test('an axis that is taken out of its pack has the files it had before', () => {
  using data = temporaryFolder();
  const before = publish(data.path, numbered(3), 9);
  const packed = publish(data.path, { file_8: 3 }, 1);
  assert.ok(packsOf(packed).length > 0);
  using builder = new SnapshotBuilder(data.path);
  const { folder, files } = builder.restageAxis('file_2');
  for (const name of axisFileNames.filter((one) => one !== fileNames.axis)) {
    const path = `${axisFolder('file_2')}/${name}`;
    assert.deepEqual(files[name], before.files[path]);
    const earlier = readFileSync(join(snapshotFolder(data.path, before.id), path));
    assert.deepEqual(readFileSync(join(folder, name)), earlier, name);
  }
});

test('the difference of two snapshots ignores whether an axis is packed', () => {
  using data = temporaryFolder();
  const before = publish(data.path, numbered(3), 9);
  const after = publish(data.path, { file_2: 11 }, 1);
  assert.deepEqual(
    diffSnapshots(data.path, before.id, after.id).map(({ code, change }) => [code, change]),
    [['file_2', 'records']],
  );
});

test('a changed byte of a packed record is found by its hash, and a cut pack by its size', () => {
  using data = temporaryFolder();
  const manifest = publish(data.path, numbered(3), 1);
  const folder = snapshotFolder(data.path, manifest.id);
  const path = join(folder, 'packs/0001.bin');
  const bytes = readFileSync(path);
  verifyFolder(folder, manifest, { hashes: true });
  writeFileSync(path, Buffer.concat([Buffer.from('{'), bytes.subarray(1)]));
  assert.throws(() => verifyFolder(folder, manifest, { hashes: true }), /another SHA-256/);
  writeFileSync(path, bytes.subarray(1));
  assert.throws(() => verifyFolder(folder, manifest, { hashes: false }), /bytes instead of/);
});

test('an axis that its pack no longer serves is not among the axes of the snapshot', () => {
  using data = temporaryFolder();
  const { id } = publish(data.path, numbered(9), 5);
  using builder = new SnapshotBuilder(data.path);
  builder.dropAxis('file_3');
  const manifest = readManifest(data.path, builder.publish('Dropped one.'));
  using files = new AxisFiles(snapshotFolder(data.path, manifest.id), manifest);
  assert.equal(files.codes.includes('file_3'), false);
  assert.equal(files.description('file_3'), null);
  assert.equal(manifest.previous, id);
});

function looseAxis(at: number, rows: number, bytes = 1): LooseAxis {
  return { code: `file_${at}`, rows, bytes, isHomeless: false };
}

function numbered(count: number): Record<string, number> {
  return Object.fromEntries(eachOf(count, (at) => [`file_${at + 1}`, 10]));
}

function eachOf<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Publishes axes with numbers of records; `looseMax` small ones become packs. */
function publish(data: string, axes: Record<string, number>, looseMax: number): Manifest {
  using builder = new SnapshotBuilder(data, { looseMax });
  for (const [code, rows] of Object.entries(axes)) {
    using writer = new AxisWriter(
      builder.stageAxis(code),
      testFields.map(({ name }) => name),
    );
    for (let row = 0; row < rows; row++)
      writer.add([`도서관 ${row}`, row % 3 === 0 ? '강남' : null]);
    builder.putAxis(code, writer.finish(testAxis(code), testFields, { joinRegion: null }).files);
  }
  return readManifest(data, builder.publish('Published.'));
}
