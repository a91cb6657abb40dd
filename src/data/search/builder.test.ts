import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { ByteSink } from '../byte-sink.ts';
import { SearchIndexBuilder } from './builder.ts';
import { chunkDocumentsMax } from './postings.ts';

const someTexts = ['', '서울', '서울 종로', '종로구청', 'a b', '02-120'];

test('documents added by column give the same index as documents added one by one', () => {
  const texts = [...someTexts, 'ㅅ', 'x'.repeat(30)];
  const number = fc.nat({ max: texts.length - 1 });
  const documents = fc.array(fc.tuple(number, number, number, fc.array(fc.nat({ max: 3 }))), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.array(documents, { maxLength: 3 }), fc.boolean(), (runs, hasName) => {
      const byColumn = buildIndex((builder) => {
        for (const run of runs) {
          const [first, ...others] = [0, 1, 2].map((field) => ({
            texts,
            textNumbers: Uint32Array.from(run, (document) => document[field] as number),
          }));
          const name = hasName ? first! : null;
          builder.addRun(run.length, { name, others }, (at) => run[at]![3]);
        }
      });
      const oneByOne = buildIndex((builder) => {
        for (const [name, ...rest] of runs.flat()) {
          const others = [rest[0], rest[1]].map((at) => texts[at]!);
          builder.add(hasName ? texts[name]! : null, others, rest[2]);
        }
      });
      assert.deepEqual(byColumn, oneByOne);
    }),
  );
});

test('runs that end with a chunk or cross its end give the same index as single documents', () => {
  const texts = someTexts;
  const documentsCount = chunkDocumentsMax + 100;
  const oneByOne = buildIndex((builder) => {
    for (let at = 0; at < documentsCount; at++)
      builder.add(texts[at % texts.length]!, [], [at % 3]);
  });
  for (const first of [chunkDocumentsMax, chunkDocumentsMax - 7, documentsCount]) {
    const byColumn = buildIndex((builder) => {
      for (const [from, to] of [
        [0, first],
        [first, documentsCount],
      ] as const) {
        const textNumbers = Uint32Array.from(
          { length: to - from },
          (_, at) => (from + at) % texts.length,
        );
        const tagsOf = (at: number): number[] => [(from + at) % 3];
        builder.addRun(to - from, { name: { texts, textNumbers }, others: [] }, tagsOf);
      }
    });
    assert.equal(byColumn.equals(oneByOne), true, `first run of ${first}`);
  }
});

function buildIndex(add: (builder: SearchIndexBuilder) => void): Buffer {
  using folder = temporaryFolder();
  const path = join(folder.path, 'search.bin');
  using sink = new ByteSink(path);
  const builder = new SearchIndexBuilder(sink);
  add(builder);
  builder.finish();
  sink.close();
  return readFileSync(path);
}
