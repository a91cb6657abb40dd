import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { SearchIndexBuilder } from './builder.ts';
import { gramKind, gramsOf, type GramKey } from './gram.ts';
import { SearchIndex } from './index-file.ts';

test('keys that a pack lacks load no dictionary, even if some pass its filter', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'pack.bin');
  using sink = new ByteSink(path);
  const builder = new SearchIndexBuilder(sink, { isPack: true });
  for (let at = 0; at < 3_000; at++) builder.add(`${syllable(at)}${syllable(at * 7)}동`, [], []);
  builder.finish();
  sink.close();
  const file = FileRange.of(path);
  let bytesRead = 0;
  const read = file.read.bind(file);
  file.read = <Bytes extends Uint8Array>(bytes: Bytes, position: number): Bytes => {
    bytesRead += bytes.byteLength;
    return read(bytes, position);
  };
  using index = SearchIndex.open(file);
  const [chunk] = index.chunks;
  bytesRead = 0;
  for (let at = 0; at < 2_000; at++) assert.equal(chunk!.countOf(absentKey(at)), 0);
  assert.ok(bytesRead > 0, 'No key has passed the filter.');
  const withoutDictionary = bytesRead;
  const keys = chunk!.keysBetween({ high: 0, low: 0 }, { high: 0xffff_ffff, low: 0xffff_ffff });
  assert.ok(withoutDictionary < keys.length, `${withoutDictionary} bytes of ${keys.length} keys`);
  for (const { key, count } of keys) assert.equal(chunk!.countOf(key), count);
});

test('a pack that has loaded nothing finds every key of its texts', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'pack.bin');
  using sink = new ByteSink(path);
  const builder = new SearchIndexBuilder(sink, { isPack: true });
  for (let at = 0; at < 50; at++) builder.add(`${syllable(at)}동`, [], []);
  builder.finish();
  sink.close();
  using index = SearchIndex.open(FileRange.of(path));
  const [chunk] = index.chunks;
  const keys = chunk!.keysBetween({ high: 0, low: 0 }, { high: 0xffff_ffff, low: 0xffff_ffff });
  for (const { key, count } of keys) {
    chunk!.close();
    assert.equal(chunk!.countOf({ ...key }), count);
  }
});

test('a key whose look-up failed on a broken read is found once the file can be read', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'own.bin');
  using sink = new ByteSink(path);
  const builder = new SearchIndexBuilder(sink);
  for (let at = 0; at < 50; at++) builder.add(`${syllable(at)}동`, [], []);
  builder.finish();
  sink.close();
  const file = FileRange.of(path);
  using index = SearchIndex.open(file);
  const [chunk] = index.chunks;
  const read = file.read.bind(file);
  const [key] = gramsOf('동', gramKind.text);
  file.read = () => {
    throw new Error('The disk failed.');
  };
  assert.throws(() => chunk!.countOf(key!), /The disk failed/);
  file.read = read;
  assert.equal(chunk!.countOf(key!), 50);
});

function syllable(at: number): string {
  return String.fromCharCode(0xac00 + (at % 11_000));
}

/** A key of a kind that no index has. */
function absentKey(at: number): GramKey {
  return { high: 0xf_0000 + (at % 97), low: ((0xac00 + at) << 16) >>> 0 };
}
