import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
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

test('each type has its column, and texts that it cannot give back have one of their own', async () => {
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

test('columns of texts are absent from the file if the types give back all values', async () => {
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

test('integers of four bytes are short, and one past the statistics keeps its text', async () => {
  const stats = { min: 0, max: 2_000_000_000 } as NonNullable<ParquetField['stats']>;
  const short = { ...field('n', 'integer'), stats };
  const { records } = await roundTrip([short], [['2000000000'], ['3000000000']]);
  assert.deepEqual(records, [
    { n: 2_000_000_000, n_text: null },
    { n: null, n_text: '3000000000' },
  ]);
});

test('no value is lost: the text is there, or the typed value is equal to it', async () => {
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

test('DuckDB reads a stored file with its types, values and groups', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'records.parquet');
  const rows = Array.from({ length: 70_000 }, (_, at) => [
    `서울특별시 ${at % 25}구`,
    String(at),
    at % 7 === 0 ? '-' : (at / 8).toString(),
    '2024-02-29',
  ]);
  using file = new ParquetFile(path, [
    field('구', 'string'),
    field('번호', 'integer'),
    field('면적', 'number'),
    field('기준일자', 'date'),
  ]);
  for (const row of rows) file.add(row, 100);
  assert.equal(file.finish().bytes, readFileSync(path).length);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const read = async (sql: string) =>
    (await connection.runAndReadAll(sql.replace('$file', `'${path}'`))).getRowsJson();
  const described = await read('describe select * from $file');
  assert.deepEqual(
    described.map((row) => (row as unknown[]).slice(0, 2)),
    [
      ['구', 'VARCHAR'],
      ['번호', 'BIGINT'],
      ['면적', 'DOUBLE'],
      ['면적_text', 'VARCHAR'],
      ['기준일자', 'DATE'],
    ],
  );
  const groups = await read('select distinct row_group_num_rows from parquet_metadata($file)');
  assert.deepEqual(
    groups
      .flat()
      .map(Number)
      .sort((a, b) => a - b),
    [4_464, 65_536],
  );
  const all = await read(
    'select 구, 번호::text, coalesce(면적_text, 면적::text), 기준일자::text from $file',
  );
  assert.equal(all.length, rows.length);
  for (const [at, [district, number, area, day]] of rows.entries()) {
    const [first, second, third, fourth] = all[at] as string[];
    assert.deepEqual([first, second, fourth], [district, number, day]);
    if (area === '-') assert.equal(third, '-');
    else assert.equal(Number(third), Number(area));
  }
  connection.closeSync();
  instance.closeSync();
});
