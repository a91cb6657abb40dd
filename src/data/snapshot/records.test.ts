import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { fileNames } from './layout.ts';
import { recordSerialiser, RecordsFile, RecordsWriter } from './records.ts';
import { anyText } from '../../../test/any-text.ts';

const value = fc.oneof(anyText(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));

test('a record equals the output of JSON.stringify, with lone surrogates replaced', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 6 }),
      fc.array(value),
      (columns, cells) => {
        const record = JSON.parse(recordSerialiser(columns)(cells)) as Record<string, unknown>;
        for (const [i, name] of columns.entries()) {
          const cell = cells[i] ?? null;
          const expected =
            typeof cell === 'string' ? cell.toWellFormed() : JSON.parse(JSON.stringify(cell));
          assert.deepEqual(Object.getOwnPropertyDescriptor(record, name)?.value, expected);
        }
      },
    ),
  );
});

test('paging with any limit gives each record once, in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 20 }),
      (texts, limit) => {
        using folder = temporaryFolder();
        using records = writeRecords(folder.path, texts);
        const seen: string[] = [];
        for (let from = 0; from < texts.length + limit; from += limit) {
          const { items, count } = records.page(from, limit);
          const page = JSON.parse(`[${items.toString()}]`) as { text: string }[];
          assert.equal(page.length, count);
          seen.push(...page.map((record) => record.text));
        }
        assert.deepEqual(seen, texts);
      },
    ),
    { numRuns: 60 },
  );
});

test('a page past the end and a page with the limit 0 are empty', () => {
  using folder = temporaryFolder();
  using records = writeRecords(folder.path, ['하나', '둘']);
  for (const [from, limit] of [
    [2, 5],
    [3, 5],
    [2 ** 31, 5],
    [2 ** 53, 5],
    [0, 0],
  ] as const) {
    assert.deepEqual(records.page(from, limit), { items: Buffer.alloc(0), count: 0 });
  }
  assert.equal(records.page(1, 5).count, 1);
});

test('a record read by its row equals the one in a page, in every block and file', () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const texts = Array.from({ length: 1_100 }, (_, row) => `기록 ${row}`);
  using records = writeRecords(folder.path, texts);
  using others = writeRecords(other.path, texts.toReversed());
  for (const row of [0, 511, 512, 1_023, 1_024, 1_099, 1_100, 2 ** 53]) {
    for (const file of [records, others]) {
      assert.deepEqual(file.record(row), file.page(row, 1).items);
    }
  }
});

test('the file is a JSON array with one record per line', () => {
  for (const texts of [[], ['하나'], ['하나', '둘', '셋']]) {
    using folder = temporaryFolder();
    writeRecords(folder.path, texts)[Symbol.dispose]();
    const file = readFileSync(join(folder.path, fileNames.records), 'utf8');
    assert.deepEqual(
      JSON.parse(file),
      texts.map((text) => ({ text })),
    );
    assert.equal(file.trim().split('\n').length, texts.length + 2);
  }
});

test('blocks contain every record once', () => {
  using folder = temporaryFolder();
  const texts = Array.from({ length: 20_000 }, (_, i) => `기록 ${i} ${'가'.repeat(i % 97)}`);
  using records = writeRecords(folder.path, texts);
  const seen: string[] = [];
  for (const { bytes, starts, ends, from } of records.blocks()) {
    assert.equal(from, seen.length);
    for (let i = 0; i < starts.length; i++) {
      seen.push((JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as { text: string }).text);
    }
  }
  assert.deepEqual(seen, texts);
});

function writeRecords(folder: string, texts: readonly string[]): RecordsFile {
  using writer = new RecordsWriter(folder);
  for (const text of texts) writer.add(JSON.stringify({ text }));
  writer.close();
  return RecordsFile.in(folder);
}
