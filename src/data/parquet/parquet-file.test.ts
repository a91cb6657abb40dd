import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from '../../../test/parquet-compressors.ts';
import { anyText } from '../../../test/any-text.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { FieldType, Value } from '../axis.ts';
import { ParquetFile } from './parquet-file.ts';
import type { ParquetField } from './parquet-column.ts';
import { ParquetSink } from './parquet-sink.ts';

const types = ['string', 'integer', 'number', 'boolean', 'date', 'datetime'] as const;

function field(name: string, type: FieldType): ParquetField {
  return { name, label: `${name} 항목`, type };
}

/** Writes records and reads them back, with the schema and the metadata of the file. */
async function roundTrip(
  fields: readonly ParquetField[],
  rows: readonly (readonly Value[])[],
  groupRowsMax?: number,
) {
  const pieces: Uint8Array[] = [];
  const sink = new ParquetSink(fields, (bytes) => pieces.push(bytes), groupRowsMax);
  for (const row of rows) sink.add(row, 10);
  sink.finish();
  const file = new Uint8Array(Buffer.concat(pieces)).buffer;
  const metadata = parquetMetadata(file);
  const records = await parquetReadObjects({ file, compressors });
  return { records, metadata, columns: metadata.schema.slice(1).map(({ name }) => name) };
}

test('a field has a typed column, and a second one for texts that the type does not preserve', async () => {
  const fields = types.map((type) => field(type, type));
  const { records, columns } = await roundTrip(fields, [
    ['007', '15,293', '3.10', 'TRUE', '2024. 1. 31', '2024-01-31 09:30'],
    ['=1+1', '-', '0430', 'Y', '2024-01-31 10:00', '2024-01-31T09:30:00.5Z'],
    [null, null, null, null, null, null],
    [12, 9, 12.5, false, '20240229', '20240229093000'],
  ]);
  const typed = types.slice(1).flatMap((type) => [type, `${type}_text`]);
  assert.deepEqual(columns, ['string', ...typed]);
  const [first, second, third, fourth] = records as Record<string, unknown>[];
  const day = new Date('2024-01-31T00:00:00Z');
  assert.deepEqual(Object.values(first!), [
    '007',
    15293n,
    null,
    3.1,
    null,
    true,
    null,
    day,
    null,
    new Date('2024-01-31T09:30Z'),
    null,
  ]);
  assert.deepEqual(Object.values(second!).slice(0, 7), ['=1+1', null, '-', 430, '0430', null, 'Y']);
  assert.deepEqual(Object.values(second!).slice(7), [
    day,
    '2024-01-31 10:00',
    new Date('2024-01-31T09:30Z'),
    '2024-01-31T09:30:00.5Z',
  ]);
  assert.ok(Object.values(third!).every((value) => value === null));
  assert.deepEqual(Object.values(fourth!).slice(0, 6), ['12', 9n, null, 12.5, null, false]);
});

test('the second column is absent from the file if the type preserves all values', async () => {
  const fields = [field('n', 'integer'), field('n_text', 'string')];
  const { columns, metadata } = await roundTrip(
    fields,
    [
      ['1', 'a'],
      ['2', null],
    ],
    1,
  );
  assert.deepEqual(columns, ['n', 'n_text']);
  assert.equal(metadata.row_groups.length, 2);
  assert.ok(metadata.row_groups.every((group) => group.columns.length === 2));
  const [entry] = metadata.key_value_metadata!;
  assert.deepEqual(JSON.parse(entry!.value!), [
    { name: 'n', label: 'n 항목', type: 'integer' },
    { name: 'n_text', label: 'n_text 항목', type: 'string' },
  ]);
  const taken = await roundTrip(fields, [['x', 'a']]);
  assert.deepEqual(taken.columns, ['n', 'n_text_', 'n_text']);
});

test('integers that fit into four bytes are INT32, and a larger one keeps its text', async () => {
  const stats = { min: 0, max: 2_000_000_000 } as NonNullable<ParquetField['stats']>;
  const short = { ...field('n', 'integer'), stats };
  const { records } = await roundTrip([short], [['2000000000'], ['3000000000']]);
  assert.deepEqual(records, [
    { n: 2_000_000_000, n_text: null },
    { n: null, n_text: '3000000000' },
  ]);
});

test('no value is lost: it has its text, or its typed value is equal to the text', async () => {
  const near = fc.stringMatching(/^[-+]?[0-9]{1,19}(?:\.[0-9]{1,19})?$/);
  const dates = fc.stringMatching(
    /^20[0-9]{2}[-.]?[01][0-9][-.]?[0-3][0-9](?: 1[0-9]:30(?::15)?)?$/,
  );
  const value = fc.oneof(
    fc.constant(null),
    anyText({ minLength: 1 }),
    near,
    dates,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const rows = fc.array(fc.tuple(...types.map(() => value)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (cells, groupRowsMax) => {
      const fields = types.map((type) => field(type, type));
      const { records } = await roundTrip(fields, cells, groupRowsMax);
      assert.equal(records.length, cells.length);
      for (const [at, row] of cells.entries()) {
        for (const [position, type] of types.entries()) {
          const record = records[at]!;
          assertKept(type, row[position]!, record[type], record[`${type}_text`] ?? null);
        }
      }
    }),
    { numRuns: 60 },
  );
});

function assertKept(type: FieldType, value: Value, typed: unknown, text: unknown): void {
  if (value === null) {
    assert.deepEqual([typed, text], [null, null]);
    return;
  }
  const source = String(value);
  if (text !== null) assert.equal(text, source);
  else if (type === 'string') assert.equal(typed, source);
  else if (type === 'boolean') assert.equal(String(typed), source.toLowerCase());
  else if (typed instanceof Date) assert.equal(digitsOf(typed.toISOString()), padded(source));
  else assert.equal(Number(typed), Number(source.replaceAll(',', '')) + 0);
}

function digitsOf(iso: string): string {
  return iso.slice(0, 19).replace(/\D/g, '');
}

function padded(source: string): string {
  return source.replace(/\D/g, '').padEnd(14, '0');
}

test('a stored file has groups of 65,536 records and every value', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'records.parquet');
  using stored = new ParquetFile(path, [field('구', 'string'), field('번호', 'integer')]);
  for (let at = 0; at < 70_000; at++) stored.add([`${at % 25}구`, String(at)], 100);
  assert.equal(stored.finish().bytes, readFileSync(path).length);
  const file = new Uint8Array(readFileSync(path)).buffer;
  const groups = parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows));
  assert.deepEqual(groups, [65_536, 4_464]);
  const records = await parquetReadObjects({ file, compressors });
  assert.equal(records.length, 70_000);
  assert.ok(records.every((row, at) => row['구'] === `${at % 25}구` && row['번호'] === BigInt(at)));
});

test('repeated values are in a dictionary and distinct ones in pages, and all are readable', async () => {
  const fields = [field('본문', 'string'), field('구', 'string'), field('값', 'number')];
  const rows = Array.from({ length: 6_000 }, (_, at): Value[] => [
    at % 7 === 0 ? null : `${at} ${'도로명주소 '.repeat(40)}`,
    at % 3 === 0 ? null : `${at % 25}구`,
    at % 50 === 0 ? '-' : (at % 1000) / 8,
  ]);
  const { records, metadata } = await roundTrip(fields, rows);
  const columnMetadata = metadata.row_groups[0]!.columns.map(({ meta_data: column }) => column!);
  assert.deepEqual(
    columnMetadata.map(({ encodings }) => encodings),
    [
      ['PLAIN'],
      ['PLAIN', 'RLE_DICTIONARY'],
      ['PLAIN', 'RLE_DICTIONARY'],
      ['PLAIN', 'RLE_DICTIONARY'],
    ],
  );
  assert.ok(columnMetadata[0]!.total_uncompressed_size > 3 << 20);
  const { min_value: min, max_value: max, null_count: nulls } = columnMetadata[2]!.statistics!;
  assert.deepEqual([min, max, nulls], [0.125, 999 / 8, 120n]);
  assert.deepEqual(
    records.map((row) => [row['본문'], row['구'], row['값'] ?? row['값_text']]),
    rows,
  );
});
