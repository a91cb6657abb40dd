import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { matchingText } from '../korean/normalise.ts';
import { parseQuery } from '../korean/terms.ts';
import { SearchIndexBuilder } from './builder.ts';
import { SearchIndex, type SearchChunk } from './index-file.ts';
import { PartOrder, type SearchedChunk } from './part-order.ts';
import { Search, type Matches } from './search.ts';

test('a pack finds exactly the records that have a long word, whatever forks in them', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), word, (records, text) => {
      using pack = packOf(records);
      const { total, totalRelation } = find(pack.chunk, records.length, text);
      const texts = records.map((fields) => fields.map(matchingText));
      const expected = texts.filter((fields) => fields.some((one) => one.includes(text)));
      assert.deepEqual([total, totalRelation], [expected.length, 'eq'], text);
    }),
    { numRuns: isLongForm ? 20_000 : 400 },
  );
});

test('a pack of which one axis is served counts a run of one unit exactly', () => {
  const records = [['10000'], ['1000 2000'], ['서울 ㅋㅋㅋㅋ'], ['ㅋㅋㅋ'], ['3000']];
  using pack = packOf(records);
  const part = { index: 0, from: 0, to: records.length, base: 0 };
  for (const text of ['0000', 'ㅋㅋㅋㅋ']) {
    const { total, totalRelation } = findIn([{ chunk: pack.chunk, parts: [part] }], text);
    assert.deepEqual([total, totalRelation], [1, 'eq'], text);
  }
});

test('a pack reads a text to find a long word only if the record forks in the word', () => {
  const records = Array.from({ length: 500 }, (_, at) => [`${at}`, '부산 강남구청 강남구']);
  records.push(
    ['가', '서울 남구청소'],
    ['나', '강남구 남구청'],
    ['다', '강남구 너남구청 강남구나'],
  );
  using pack = packOf(records);
  const { chunk, read } = withTextsRead(pack.chunk);
  const { counts } = find(chunk, records.length, '강남구청');
  assert.deepEqual(
    Array.from(counts)
      .map((count, at) => [at, count])
      .filter(([at, count]) => count === 0 || at! > 499),
    [500, 501, 502].map((at) => [at, 0]),
  );
  // 남구 stands behind several letters and before several ends in these alone.
  assert.deepEqual(read(), [501, 502]);
});

/** Searches a pack of axes of one record each. */
function find(chunk: SearchChunk, documents: number, text: string): Matches {
  const parts = Array.from({ length: documents }, (_, at) => {
    return { index: at, from: at, to: at + 1, base: 0 };
  });
  return findIn([{ chunk, parts }], text);
}

function findIn(chunks: readonly SearchedChunk[], text: string): Matches {
  const documents = chunks.reduce((sum, { chunk }) => sum + chunk.documents, 0);
  const size = chunks.reduce((sum, { parts }) => sum + parts.length, 0);
  const isLast = new Uint8Array(size);
  const indexes = { size, documents, chunks, order: new PartOrder(chunks), isLast };
  const search = new Search({ ...indexes, fulfilled: null }, parseQuery(text));
  return runSteps(search.page({ offset: 0, limit: 0 }));
}

/** A chunk that notes the documents whose texts are compared with a word. */
function withTextsRead(chunk: SearchChunk) {
  const documents: number[] = [];
  const spied = new Proxy(chunk, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        if (name === 'documentsContaining') documents.push(...(values[0] as Uint16Array));
        return Reflect.apply(member, target, values);
      };
    },
  });
  return { chunk: spied, read: () => documents };
}

function packOf(records: readonly (readonly string[])[]): { chunk: SearchChunk } & Disposable {
  const folder = temporaryFolder();
  const own = write(join(folder.path, 'own.bin'), (sink) => {
    const builder = new SearchIndexBuilder(sink);
    for (const [name, ...texts] of records.map((fields) => fields.map(matchingText)))
      builder.add(name!, texts, []);
    return builder;
  });
  const packed = write(join(folder.path, 'pack.bin'), (sink) => {
    const builder = new SearchIndexBuilder(sink, { isPack: true });
    builder.addChunk(own.chunks[0]!);
    return builder;
  });
  return {
    chunk: packed.chunks[0]!,
    [Symbol.dispose]() {
      own[Symbol.dispose]();
      packed[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

function write(path: string, build: (sink: ByteSink) => SearchIndexBuilder): SearchIndex {
  using sink = new ByteSink(path);
  build(sink).finish();
  sink.close();
  return SearchIndex.open(FileRange.of(path));
}

const unit = fc.constantFrom(...'가나다ab1');
const word = fc.string({ unit, minLength: 4, maxLength: 7 });
const field = fc
  .array(fc.string({ unit, minLength: 1, maxLength: 9 }), { maxLength: 4 })
  .map((words) => words.join(' '));
const record = fc.array(field, { minLength: 1, maxLength: 3 });
