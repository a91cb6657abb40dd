import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { SearchIndexBuilder } from './builder.ts';
import { ChunkSearch, planOf } from './chunk-search.ts';
import { intersect, membersOf } from './document-set.ts';
import { gramKind, gramsOf, tagKey, type GramKey } from './gram.ts';
import { SearchIndex, type SearchChunk } from './index-file.ts';
import { documentsWith, membersWith } from './key-documents.ts';

const words = ['서울', '부산', '대구', '강남', '중구'];

test('documents with several keys are those of each key, for lists and bitmaps', () => {
  using opened = indexOf(20_000);
  const { chunk } = opened;
  const keys = words.map((word) => gramsOf(word, gramKind.text)[0]!);
  assert.ok(chunk.countOf(keys[0]!) > 4_096 && chunk.countOf(keys[4]!) < 4_096);
  const some = fc.subarray(keys, { minLength: 1 });
  fc.assert(
    fc.property(some, some, fc.constantFrom(...keys), (these, those, last) => {
      const found = documentsWith(chunk, these);
      const few = membersWith(chunk, found, last);
      documentsWith(chunk, those);
      const expected = these.map((key) => chunk.setOf(key)).reduce(intersect);
      assert.deepEqual(membersOf(found), membersOf(expected));
      assert.deepEqual(membersOf(few), membersOf(intersect(expected, chunk.setOf(last))));
    }),
    { numRuns: 60 },
  );
});

test('a chunk that is only counted reads no names for a word that a tag fulfils', () => {
  using opened = indexOf(100);
  const { chunk, read } = withKeysRead(opened.chunk);
  const term = { text: '서울', phrase: false, tag: tagKey(11) };
  const search = new ChunkSearch(chunk, planOf({ terms: [term], text: '서울' }, undefined));
  runSteps(search.prepare());
  assert.equal(search.allCandidates().count, 50);
  assert.deepEqual(read(), [gramKind.tag, gramKind.text]);
  runSteps(search.prepareTiers());
  assert.deepEqual(read(), [gramKind.tag, gramKind.text, gramKind.name]);
});

/** An index of one chunk: each word is in fewer documents than the one before. */
function indexOf(documents: number): { readonly chunk: SearchChunk } & Disposable {
  const folder = temporaryFolder();
  const path = join(folder.path, 'index.bin');
  {
    using sink = new ByteSink(path);
    const builder = new SearchIndexBuilder(sink, { isPack: true });
    for (let at = 0; at < documents; at++)
      builder.add(words.filter((_, word) => at % (2 + word * word) === 0).join(' '), [], []);
    builder.finish();
    sink.close();
  }
  const index = SearchIndex.open(FileRange.of(path));
  return {
    chunk: index.chunks[0]!,
    [Symbol.dispose]: () => {
      index[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A chunk, and the kinds of the keys whose documents were read. */
function withKeysRead(chunk: SearchChunk): { chunk: SearchChunk; read: () => number[] } {
  const kinds = new Set<number>();
  const setOf = chunk.setOf.bind(chunk);
  chunk.setOf = (key: GramKey, room?: Uint8Array) => {
    kinds.add(key.high >>> 16);
    return setOf(key, room);
  };
  return { chunk, read: () => [...kinds] };
}
