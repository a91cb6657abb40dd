import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const kosis = [
  '행정구역(시군구)별,남자인구수 (명)',
  '전국,21',
  '서울특별시,5',
  '종로구,2',
  '중구,3',
  '부산광역시,9',
  '중구,4',
  '서구,5',
  '세종특별자치시,7',
];

test('a list of each 시도 and its 시군구 gets a column of each, and its 시도 are totals', async () => {
  const { columns, rows, found } = await readLines(kosis);
  assert.deepEqual(columns.slice(-2), ['시도', '시군구']);
  const [seoul, busan] = ['서울특별시', '부산광역시'];
  assert.deepEqual(
    rows.map((cells) => cells.slice(-2)),
    [
      [null, null],
      [seoul, null],
      [seoul, '종로구'],
      [seoul, '중구'],
      [busan, null],
      [busan, '중구'],
      [busan, '서구'],
      ['세종특별자치시', null],
    ],
  );
  assert.deepEqual(found('row_total'), [2, 3, 6], 'Below 세종 is no 시군구.');
  assert.equal(found('column_added').length, 1);
});

test('a column of 시도, of 시군구, or of both without an order stays as it is', async () => {
  for (const lines of [
    ['시도,시군구,수', '서울특별시,중구,1', '부산광역시,중구,2', '부산광역시,서구,2'],
    ['시군구,수', '종로구,1', '중구,2', '서구,2'],
    ['지역,수', '서울특별시,1', '부산광역시,2', '대구광역시,3'],
    ['지역,수', '종로구,1', '부산광역시,2', '강남구,3', '서울특별시,4', '해운대구,5'],
  ]) {
    const { columns, found } = await readLines(lines);
    assert.equal(columns.join(), lines[0]);
    assert.deepEqual(found('row_total'), []);
  }
});

async function readLines(lines: readonly string[]) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, lines.join('\n'));
  const { tables, findings } = await readWhole(path);
  const { columns, rows } = tables[0]!;
  const found = (wanted: string) =>
    findings.flatMap(({ kind, row }) => (kind === wanted ? [row] : []));
  return { columns, rows, found };
}
