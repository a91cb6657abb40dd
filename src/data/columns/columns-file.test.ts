import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Value } from '../axis.ts';
import { FileRange } from '../file-range.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { ColumnsFile } from './columns-file.ts';
import { ColumnsWriter } from './columns-writer.ts';
import { RecordRuns } from './record-runs.ts';

const columns = [
  { name: '이름', type: 'string' },
  { name: '수', type: 'integer' },
  { name: '갈래', type: 'string' },
] as const;

for (const [runEnd, title] of [
  [Infinity, 'one run'],
  [chunkDocumentsMax, 'a run a chunk'],
  [40_000, 'runs across chunks'],
] as const) {
  test(`columns of several chunks have the values, order and ids of their records, from ${title}`, () =>
    columnsHaveTheirRecords(runEnd));
}

/** Spills a run each `runEnd` records. */
function columnsHaveTheirRecords(runEnd: number): void {
  using folder = temporaryFolder();
  const path = join(folder.path, 'columns.bin');
  const rows = chunkDocumentsMax * 2 + 100;
  const rowOf = (row: number): Value[] => [
    row % 3 === 0 ? null : `이름 ${(row * 7919) % rows}`,
    row % 5 === 0 ? '-' : row % 7 === 0 ? row : String((row * 31) % 1000),
    row < chunkDocumentsMax ? '가' : '나',
  ];
  {
    using runs = new RecordRuns(`${path}.records`, columns.length);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % runEnd === 0) runs.spill();
      runs.add(rowOf(row), row, row * 2);
    }
    using writer = new ColumnsWriter(path, columns);
    for (const run of runs.take()) writer.add(run);
    writer.finish();
  }
  assert.deepEqual(readdirSync(folder.path), ['columns.bin']);

  using file = new ColumnsFile(FileRange.of(path));
  assert.equal(file.rows, rows);
  for (const row of [0, 1, 7, chunkDocumentsMax - 1, chunkDocumentsMax, rows - 1]) {
    const values = columns.map(({ name }) => {
      const column = file.column(name);
      return column.valueOf(column.codeOf(row));
    });
    assert.deepEqual(values, rowOf(row));
    assert.deepEqual([...file.ids(row, 1)], [row, row * 2]);
  }
  const numbers = file.column('수');
  assert.deepEqual(numbers.numbers(), numbers.numbers().toSorted());
  assert.equal(numbers.valueOf(1), '-');
  assert.equal(numbers.firstReadable, 2);
  assert.equal(numbers.firstUnreadable, numbers.codeCount);
  const codes = new Uint32Array(chunkDocumentsMax);
  for (const { name } of columns) {
    const column = file.column(name);
    for (let chunk = 0; chunk < 3; chunk++) {
      column.readCodes(chunk, codes);
      const { min, max } = column.chunk(chunk);
      for (let record = 0; record < 100; record++) {
        const code = codes[record]! + min;
        assert.equal(code, column.codeOf(chunk * chunkDocumentsMax + record));
        assert.ok(code <= max);
      }
    }
  }
  const kinds = file.column('갈래');
  assert.deepEqual(
    [kinds.chunk(0), kinds.chunk(2)].map(({ min, max }) => [min, max]),
    [
      [1, 1],
      [2, 2],
    ],
  );
}

test('a file of columns that is cut off is refused with advice', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'columns.bin');
  using runs = new RecordRuns(`${path}.records`, columns.length);
  runs.add(['하나', '1', null], 1, 2);
  using writer = new ColumnsWriter(path, columns);
  for (const run of runs.take()) writer.add(run);
  const { bytes } = writer.finish();
  for (const size of [0, 7, bytes - 1]) {
    truncateSync(path, size);
    assert.throws(
      () => new ColumnsFile(FileRange.of(path)),
      /cut off or of another version. Roll back/,
    );
  }
});
