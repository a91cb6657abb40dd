import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer, type ParquetWriteOptions } from 'hyparquet-writer';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import { loadFiles } from '../load/load.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';

type Columns = Omit<ParquetWriteOptions, 'writer'>;

function fileOf(columns: Columns): Buffer {
  return Buffer.from(parquetWriteBuffer(columns));
}

async function readBytes(bytes: Buffer, name = 'a.parquet') {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return await readWhole(path);
}

const optional = { repetition_type: 'OPTIONAL' } as const;

test('values of a Parquet file are texts, numbers, days and moments to the last digit', async () => {
  const { tables } = await readBytes(
    fileOf({
      schema: [
        { name: 'root', num_children: 8 },
        { name: '코드', type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional },
        { name: '수', type: 'INT64', ...optional },
        { name: '비율', type: 'DOUBLE', ...optional },
        { name: '작은수', type: 'FLOAT', ...optional },
        {
          name: '금액',
          type: 'INT64',
          converted_type: 'DECIMAL',
          scale: 2,
          precision: 18,
          ...optional,
        },
        { name: '날짜', type: 'INT32', converted_type: 'DATE', ...optional },
        {
          name: '일시',
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
          ...optional,
        },
        { name: '여부', type: 'BOOLEAN', ...optional },
      ],
      columnData: [
        { name: '코드', data: ['007', ' 가 ', null] },
        { name: '수', data: [12n, 9007199254740993n, null] },
        { name: '비율', data: [0.5, NaN, null] },
        { name: '작은수', data: [0.1, 37.5, null] },
        { name: '금액', data: [90071992547409931n, -5n, null] },
        { name: '날짜', data: [19753, -1, null] },
        { name: '일시', data: [1706693400000000n, 1706693400500000n, null] },
        { name: '여부', data: [true, false, null] },
      ],
    }),
  );
  const { rows, format } = tables[0]!;
  assert.equal(format, 'parquet');
  assert.deepEqual(rows, [
    ['007', 12, 0.5, 0.1, '900719925474099.31', '2024-01-31', '2024-01-31 09:30:00', true],
    ['가', '9007199254740993', null, 37.5, '-0.05', '1969-12-31', '2024-01-31 09:30:00.5', false],
  ]);
});

test('every compression but LZ4 is read, alone and in archives, and row groups of any size', async () => {
  const data = Array.from({ length: 70_000 }, (_, at) => at);
  const columnData = [{ name: '번호', data: Int32Array.from(data) }];
  const files = [
    fileOf({ columnData, codec: 'SNAPPY', rowGroupSize: 1000 }),
    fileOf({ columnData, codec: 'UNCOMPRESSED', rowGroupSize: 100_000 }),
    fileOf({
      columnData,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    }),
    fileOf({ columnData, codec: 'GZIP', compressors: { GZIP: (bytes) => gzipSync(bytes) } }),
  ];
  for (const file of files) {
    const { tables } = await readBytes(file);
    assert.deepEqual(
      tables[0]!.rows.map(([number]) => number),
      data,
    );
  }
  const zip = zipOf([{ name: '자료.parquet', content: files[0]! }]);
  const { tables } = await readBytes(zip, 'a.zip');
  assert.equal(tables[0]!.rows.length, data.length);
  const lz4 = fileOf({ columnData, codec: 'LZ4', compressors: { LZ4: (bytes) => bytes } });
  await assert.rejects(readBytes(lz4), /compressed by LZ4/);
});

test('a column of lists or structures is reported by its name, and the others are read', async () => {
  const { tables, findings } = await readBytes(
    fileOf({
      columnData: [
        { name: '이름', data: ['가'] },
        { name: '값', type: 'JSON', data: [{ a: 1 }] },
      ],
    }),
  );
  assert.deepEqual([tables[0]!.columns, tables[0]!.rows], [['이름', '값'], [['가', '{"a":1}']]]);
  assert.deepEqual(findings, []);
  const nested = fileOf({
    schema: [
      { name: 'root', num_children: 2 },
      { name: '이름', type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional },
      { name: '목록', num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'INT32', ...optional },
    ],
    columnData: [
      { name: '이름', data: ['가', '나'] },
      { name: '목록', data: [[1, 2], [3]] },
    ],
  });
  const read = await readBytes(nested);
  assert.deepEqual([read.tables[0]!.columns, read.tables[0]!.rows], [['이름'], [['가'], ['나']]]);
  assert.match(JSON.stringify(read.findings), /part_not_held.*목록/);
});

test('a Parquet file that is cut off, or no Parquet inside, is refused as damaged', async () => {
  const whole = fileOf({ columnData: [{ name: '번호', data: Int32Array.of(1, 2, 3) }] });
  for (const bytes of [whole.subarray(0, -5), whole.subarray(0, 20), Buffer.from('PAR1PAR1')]) {
    await assert.rejects(readBytes(Buffer.from(bytes)), { code: 'damaged' });
  }
  const spoilt = Buffer.from(whole);
  spoilt.fill(0xff, 4, 30);
  await assert.rejects(readBytes(spoilt), { code: 'damaged' });
});

test('the Parquet file of an axis loads as the axis it was made of', async () => {
  using folder = temporaryFolder();
  const csv = join(folder.path, '도서관.csv');
  writeFileSync(
    csv,
    '도서관명,개관일,좌석수,면적\n가람,2024-01-31,"1,200",12.50\n나루,2024-02-29,30,7\n',
  );
  const first = await loadFiles(join(folder.path, 'one'), [csv]);
  const snapshot = join(folder.path, 'one', 'snapshots', first.snapshot!);
  const file = join(folder.path, '도서관.parquet');
  writeFileSync(file, readFileSync(join(snapshot, 'axes', first.axes[0]!.code, 'records.parquet')));
  const second = await loadFiles(join(folder.path, 'two'), [file]);
  using opened = OpenedSnapshot.open(join(folder.path, 'two'), second.snapshot!);
  const stored = opened.axes.get(second.axes[0]!.code)!;
  const types = stored.fields.slice(0, 3).map(({ name, type }) => [name, type]);
  assert.deepEqual(types, [
    ['도서관명', 'string'],
    ['개관일', 'date'],
    ['좌석수', 'integer'],
  ]);
});

test('times of day are texts in hours, minutes and seconds', async () => {
  const time = { type: 'TIME', isAdjustedToUTC: false } as const;
  const { tables } = await readBytes(
    fileOf({
      schema: [
        { name: 'root', num_children: 2 },
        { name: '시작', type: 'INT32', logical_type: { ...time, unit: 'MILLIS' }, ...optional },
        { name: '종료', type: 'INT64', logical_type: { ...time, unit: 'MICROS' }, ...optional },
      ],
      columnData: [
        { name: '시작', data: [32_400_000, null] },
        { name: '종료', data: [64_859_500_000n, 1n] },
      ],
    }),
  );
  assert.deepEqual(tables[0]?.rows, [
    ['09:00:00', '18:00:59.5'],
    [null, '00:00:00.000001'],
  ]);
});
