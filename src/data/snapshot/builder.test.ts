import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAxis } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotBuilder } from './builder.ts';
import { diffSnapshots } from './diff.ts';
import { axisFolder, dataPaths, fileNames } from './layout.ts';
import { BuildInProgress } from './lock.ts';
import { OpenedSnapshot } from './opened.ts';
import { rollBack } from './rollback.ts';
import {
  currentId,
  previousId,
  nextId,
  pointTo,
  readManifest,
  snapshotFolder,
  snapshotIds,
  snapshotsKept,
  unfinishedPrefix,
} from './snapshots.ts';
import { DamagedSnapshot, verifyFolder } from './verify.ts';

test('an unchanged axis is hard-linked into the next snapshot', () => {
  using data = temporaryFolder();
  const first = buildAxis(data.path, 'file_1', [['도서관', null]]);
  const second = buildAxis(data.path, 'file_2', [['주차장', null]]);
  const inodes = [first, second].map(
    (id) =>
      statSync(join(snapshotFolder(data.path, id), axisFolder('file_1'), fileNames.records)).ino,
  );
  assert.equal(inodes[0], inodes[1]);
  using opened = OpenedSnapshot.open(data.path, second);
  assert.deepEqual([...opened.axes.keys()], ['file_1', 'file_2']);
  assert.equal(opened.manifest.previous, first);
});

test('a dropped axis is missing in the next snapshot only, and the difference lists it', () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['하나', null]]);
  const before = buildAxis(data.path, 'file_2', [['둘', null]]);
  using builder = new SnapshotBuilder(data.path);
  builder.dropAxis('file_1');
  const after = builder.publish('Dropped one.');
  using opened = OpenedSnapshot.open(data.path, after);
  assert.deepEqual([...opened.axes.keys()], ['file_2']);
  assert.deepEqual(
    diffSnapshots(data.path, before, after).map(({ code, change }) => [code, change]),
    [['file_1', 'removed']],
  );
});

test('the difference of two snapshots lists the axes whose records changed', () => {
  using data = temporaryFolder();
  const before = buildAxis(data.path, 'file_1', [['하나', null]]);
  const after = buildAxis(data.path, 'file_1', [
    ['하나', null],
    ['둘', null],
  ]);
  assert.deepEqual(diffSnapshots(data.path, before, after), [
    {
      code: 'file_1',
      change: 'records',
      rowsBefore: 1,
      rowsAfter: 2,
      fieldsAdded: [],
      fieldsRemoved: [],
    },
  ]);
  assert.deepEqual(diffSnapshots(data.path, after, after), []);
});

test('the last five snapshots are kept, and the pointer can go back to any of them', () => {
  using data = temporaryFolder();
  const ids = Array.from({ length: 8 }, (_, i) => buildAxis(data.path, 'file_1', [[`${i}`, null]]));
  assert.deepEqual(snapshotIds(data.path), ids.slice(-snapshotsKept));
  assert.equal(currentId(data.path), ids[7]);
  assert.equal(previousId(data.path), ids[6]);
  pointTo(data.path, ids[6]!);
  assert.equal(currentId(data.path), ids[6]);
  assert.throws(() => pointTo(data.path, ids[0]!), /There is no snapshot/);
  const next = buildAxis(data.path, 'file_1', [['새로', null]]);
  assert.equal(readManifest(data.path, next).previous, ids[6]);
});

test('a rollback without an id goes to the snapshot from which the current one was built', () => {
  using data = temporaryFolder();
  const [first, , third] = ['1', '2', '3'].map((mark) =>
    buildAxis(data.path, 'file_1', [[mark, null]]),
  );
  assert.deepEqual(rollBack(data.path, first!), { from: third, to: first });
  buildAxis(data.path, 'file_1', [['4', null]]);
  assert.equal(rollBack(data.path, null).to, first);
});

test('a rollback to a text that is no id is refused and changes nothing', () => {
  using data = temporaryFolder();
  const first = buildAxis(data.path, 'file_1', [['하나', null]]);
  const second = buildAxis(data.path, 'file_1', [['둘', null]]);
  for (const text of [`${first}/`, `./${first}`, `${second}/../${first}`, '']) {
    assert.throws(() => rollBack(data.path, text), /is no id of a snapshot/);
  }
  assert.equal(currentId(data.path), second);
});

test('a snapshot of a newer format names the version that reads it', () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', [['하나', null]]);
  const path = join(snapshotFolder(data.path, id), fileNames.manifest);
  writeFileSync(path, JSON.stringify({ ...readManifest(data.path, id), formatVersion: 99 }));
  const refusal = /has format 99; this version reads 1 and 2\. Install the version of Maru/;
  assert.throws(() => readManifest(data.path, id), refusal);
});

test('a rollback during a build is refused at once', () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['1', null]]);
  buildAxis(data.path, 'file_1', [['2', null]]);
  using _builder = new SnapshotBuilder(data.path);
  assert.throws(() => rollBack(data.path, null), BuildInProgress);
});

test('a damaged lock file is reported as such, not as a build under way', () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['1', null]]);
  writeFileSync(dataPaths(data.path).lock, 'no database '.repeat(100));
  assert.throws(() => new SnapshotBuilder(data.path), /cannot be taken: file is not a database/);
});

test('files of an axis that was staged but never put are not published', () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['1', null]]);
  using builder = new SnapshotBuilder(data.path);
  const folder = builder.stageAxis('file_8');
  writeFileSync(join(folder, fileNames.records), '[');
  const id = builder.publish('Nothing new.');
  assert.deepEqual(readdirSync(join(snapshotFolder(data.path, id), 'axes')), ['file_1']);
});

test('a build starts from the newest snapshot if the current one is missing', () => {
  using data = temporaryFolder();
  const first = buildAxis(data.path, 'file_1', [['1', null]]);
  const second = buildAxis(data.path, 'file_2', [['2', null]]);
  rmSync(snapshotFolder(data.path, second), { recursive: true });
  const third = buildAxis(data.path, 'file_3', [['3', null]]);
  assert.equal(readManifest(data.path, third).previous, first);
  using opened = OpenedSnapshot.open(data.path, third);
  assert.deepEqual([...opened.axes.keys()], ['file_1', 'file_3']);
});

test('a second build is refused until the first ends, and an abandoned one leaves no files', () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['하나', null]]);
  {
    using _first = new SnapshotBuilder(data.path);
    assert.throws(() => new SnapshotBuilder(data.path), BuildInProgress);
  }
  buildAxis(data.path, 'file_1', [['둘', null]]);
  const names = readdirSync(dataPaths(data.path).snapshots);
  assert.ok(!names.some((name) => name.startsWith(unfinishedPrefix)));
});

test('a damaged file is detected by its size, its records or, on request, its hash', () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', [['하나', null]]);
  const folder = snapshotFolder(data.path, id);
  const manifest = readManifest(data.path, id);
  const file = join(folder, axisFolder('file_1'), fileNames.records);
  verifyFolder(folder, manifest, { hashes: true });
  const size = statSync(file).size;
  writeFileSync(file, 'x'.repeat(size));
  assert.throws(() => verifyFolder(folder, manifest, { hashes: true }), DamagedSnapshot);
  assert.throws(() => verifyFolder(folder, manifest, { hashes: false }), /has a record that is/);
  appendFileSync(file, 'x');
  assert.throws(() => verifyFolder(folder, manifest, { hashes: false }), DamagedSnapshot);
  rmSync(file);
  assert.throws(
    () => verifyFolder(folder, manifest, { hashes: false }),
    /records\.json is missing/,
  );
});

test('a build with damaged files is not published', () => {
  using data = temporaryFolder();
  const before = buildAxis(data.path, 'file_1', [['하나', null]]);
  using builder = new SnapshotBuilder(data.path);
  const folder = builder.stageAxis('file_2');
  writeFileSync(join(folder, fileNames.axis), '{}');
  builder.putAxis('file_2', { [fileNames.axis]: { bytes: 99, sha256: '' } });
  assert.throws(
    () => builder.publish('Damaged.'),
    /^Error: The new snapshot is incomplete: axes\/file_2\/axis\.json has 2 bytes instead of 99\./,
  );
  assert.equal(currentId(data.path), before);
});

test('ids follow the day in Seoul and never go back with the clock', () => {
  using data = temporaryFolder();
  assert.equal(nextId(data.path, new Date('2026-11-20T15:30:00Z')), '20261121-0001');
  const id = buildAxis(data.path, 'file_1', [['하나', null]]);
  assert.ok(nextId(data.path, new Date('2001-01-01T00:00:00Z')) > id);
});
