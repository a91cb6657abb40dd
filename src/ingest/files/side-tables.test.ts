import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { isLongForm } from '../../../test/long-form.ts';

type Rows = readonly (readonly unknown[])[];

async function tablesOf(rows: Rows, merges: readonly string[] = []) {
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  sheet['!merges'] = merges.map((range) => utils.decode_range(range));
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, '현황');
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xlsx');
  // The type `buffer` returns a buffer.
  writeFileSync(path, write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  const { tables, findings } = await readWhole(path);
  return {
    tables: tables.map(({ section, columns, rows: read }) => [section, columns.join(), read]),
    kinds: findings.map(({ kind, row }) => `${kind} ${row}`),
  };
}

test('two tables with titles beside each other are separate, the right one shorter', async () => {
  const { tables, kinds } = await tablesOf([
    ['공원 현황', null, null, '도서관 현황'],
    ['구', '공원수', null, '도서관명', '권수'],
    ['가람구', 3, null, '가람도서관', 100],
    ['나루구', 4, null, '나루도서관', 200],
    ['다솜구', 5],
    ['※ 매년 조사'],
  ]);
  assert.deepEqual(tables, [
    [
      '현황/공원 현황',
      '구,공원수',
      [
        ['가람구', '3'],
        ['나루구', '4'],
        ['다솜구', '5'],
      ],
    ],
    [
      '현황/도서관 현황',
      '도서관명,권수',
      [
        ['가람도서관', '100'],
        ['나루도서관', '200'],
      ],
    ],
  ]);
  assert.deepEqual(kinds, ['row_note 6']);
});

test('a list that goes on to the right with its header again is one table', async () => {
  const { tables } = await tablesOf([
    ['회원 명부'],
    ['번호', '이름', null, '번호', '이름'],
    [1, '가람', null, 3, '다솜'],
    [2, '나루', null, 4, '라온'],
  ]);
  assert.deepEqual(
    tables.map(([, columns, rows]) => [columns, rows]),
    [
      [
        '번호,이름,표',
        [
          ['1', '가람', '현황/회원 명부'],
          ['2', '나루', '현황/회원 명부'],
        ],
      ],
      [
        '번호,이름,표',
        [
          ['3', '다솜', '현황/표 2'],
          ['4', '라온', '현황/표 2'],
        ],
      ],
    ],
  );
});

test('a table below one of two tables beside each other is a third table', async () => {
  const { tables } = await tablesOf([
    ['구', '공원수', null, null, '연도', '예산', '결산'],
    ['가람구', 3, null, null, 2021, 10, 9],
    ['나루구', 4, null, null, 2022, 11, 10],
    [null, null, null, null, 2023, 12, 11],
    ['도서관', null, null, null, 2024, 13, 12],
    ['도서관명', '권수', null, null, 2025, 14, 13],
    ['가람도서관', 100],
    ['나루도서관', 200],
  ]);
  assert.deepEqual(
    tables.map(([section, columns, rows]) => [section, columns, (rows as Rows).length]),
    [
      ['현황/표 1', '구,공원수', 2],
      ['현황/도서관', '도서관명,권수', 2],
      ['현황/표 3', '연도,예산,결산', 5],
    ],
  );
});

test('a title merged over two tables names neither, and belongs to both', async () => {
  const { tables } = await tablesOf(
    [
      ['2024년 통계'],
      ['1. 공원', null, null, '2. 도서관'],
      ['구', '공원수', null, '이름', '권수'],
      ['가람구', 3, null, '가람', 100],
      ['나루구', 4, null, '나루', 200],
    ],
    ['A1:E1'],
  );
  assert.deepEqual(
    tables.map(([section, columns]) => [section, columns]),
    [
      ['현황/1. 공원', '구,공원수'],
      ['현황/2. 도서관', '이름,권수'],
    ],
  );
});

const equalHeights: readonly (readonly [name: string, rows: Rows])[] = [
  [
    'names that repeat over numbers',
    [
      ['공원', '면적', '이용자', null, '도서관', '면적', '이용자'],
      ['가람', 3, 10, null, '다솜', 5, 30],
      ['나루', 4, 20, null, '라온', 6, 40],
    ],
  ],
  [
    'keys of years and of months',
    [
      ['연도', '예산', null, '월', '이용자수'],
      [2023, 100, null, 1, 30],
      [2024, 200, null, 2, 40],
    ],
  ],
  [
    'keys of regions',
    [
      ['시도', '인구', null, '자치구', '면적'],
      ['가람시', 100, null, '다솜구', 5],
      ['나루시', 200, null, '라온구', 6],
    ],
  ],
  [
    'two columns that number the rows',
    [
      ['연번', '공원명', null, '번호', '도서관명'],
      [1, '가람', null, 1, '다솜'],
      [2, '나루', null, 2, '라온'],
    ],
  ],
];

for (const [name, rows] of equalHeights) {
  test(`tables of equal height without titles are separate by ${name}`, async () => {
    const { tables } = await tablesOf([['현황'], ...rows]);
    const at = rows[0]!.indexOf(null);
    const sides = [rows.map((row) => row.slice(0, at)), rows.map((row) => row.slice(at + 1))];
    assert.deepEqual(
      tables.map(([, columns, read]) => [columns, read]),
      sides.map((side) => [side[0]!.join(), asTexts(side)]),
    );
  });
}

const single: readonly (readonly [name: string, rows: Rows, merges?: readonly string[]])[] = [
  [
    'a spacer between names and numbers',
    [
      ['시설명', '주소', null, '정원', '현원'],
      ['가람', '가람로 1', null, 30, 20],
      ['나루', '나루로 2', null, 40, 30],
      ['다솜', '다솜로 3', null, 50, 40],
    ],
  ],
  [
    'a spacer before texts that end one row earlier',
    [
      ['시설명', '정원', null, '담당자', '전화'],
      ['가람', 30, null, '김', '02-100-0001'],
      ['나루', 40, null, '이', '02-100-0002'],
      ['다솜', 50],
    ],
  ],
  [
    'a spacer before a total of the left side',
    [
      ['시설명', '정원', null, '운영기관명', '수량'],
      ['가람', 30, null, '가람청', 1],
      ['나루', 40, null, '나루청', 2],
      ['합계', 70],
    ],
  ],
  [
    'a spacer before remarks in some rows',
    [
      ['시설명', '정원', null, '점검일자', '비고'],
      ['가람', 30, null, '2024-01-01', '이전'],
      ['나루', 40],
      ['다솜', 50, null, '2024-01-03', '신축'],
      ['라온', 60],
      ['마루', 70],
    ],
  ],
  [
    'groups of years beside each other',
    [
      ['구분', '2023', null, null, '2024', null],
      [null, '남', '여', null, '남', '여'],
      ['가람', 1, 2, null, 3, 4],
      ['나루', 5, 6, null, 7, 8],
    ],
  ],
  [
    'names of groups over a spacer',
    [
      ['기본현황', null, null, '담당현황', null],
      ['시설명', '주소', null, '담당자', '전화'],
      ['가람', '가람로 1', null, '김', '02-100-0001'],
      ['나루', '나루로 2', null, '이', '02-100-0002'],
    ],
    ['A1:B1', 'D1:E1'],
  ],
  [
    'a group of columns merged over a spacer',
    [
      ['구', '인구', null, null, null, null],
      [null, '연령명', '명', null, '연령명', '명'],
      ['가람', '노인', 2, null, '청년', 4],
      ['나루', '노인', 6, null, '청년', 8],
    ],
    ['A1:A2', 'B1:F1'],
  ],
  [
    'a spacer between two persons with telephones',
    [
      ['시설명', '전화', null, '담당자명', '전화'],
      ['가람', '02-100-0001', null, '김', '02-100-0003'],
      ['나루', '02-100-0002', null, '이', '02-100-0004'],
    ],
  ],
  [
    'a spacer between equal names below groups',
    [
      ['시설', null, null, '운영', null],
      ['이름', '정원', null, '기관', '정원'],
      ['가람', 30, null, '김', 3],
      ['나루', 40, null, '이', 4],
    ],
  ],
  [
    'a spacer before the year of a record',
    [
      ['시설명', '정원', null, '연도', '예산'],
      ['가람', 30, null, 2023, 3],
      ['나루', 40, null, 2024, 4],
    ],
  ],
  [
    'a spacer before the month of a year',
    [
      ['연도', '예산', null, '월', '집행액'],
      [2024, 30, null, 1, 3],
      [2024, 40, null, 2, 4],
    ],
  ],
  [
    'a column without values',
    [
      ['시설명', '정원', '비고', '주소', '전화'],
      ['가람', 30, null, '가람로 1', '02-100-0001'],
      ['나루', 40, null, '나루로 2', '02-100-0002'],
      ['다솜', 50],
    ],
  ],
];

for (const [name, rows, merges] of single) {
  test(`${name} does not divide a table`, async () => {
    const { tables } = await tablesOf(rows, merges);
    assert.equal(tables.length, 1);
  });
}

const word = fc.stringMatching(/^[가-힣]{2,5}$/);
const table = fc.record({
  names: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
  rows: fc.integer({ min: 2, max: 12 }),
});

interface Shape {
  readonly names: readonly string[];
  readonly rows: number;
}

/** A table of distinct cells: a text first, then numbers. */
function gridFor({ names, rows }: Shape, mark: string): unknown[][] {
  const body = Array.from({ length: rows }, (_, row) => [
    `${mark}칸${row}`,
    ...names.map((_name, column) => row * 100 + column),
  ]);
  return [[`${mark}명`, ...names], ...body];
}

/** Two grids in the rows of one sheet; the second begins `down` rows lower. */
function beside(left: unknown[][], right: unknown[][], gap: number, down: number): unknown[][] {
  const width = left[0]!.length;
  return Array.from({ length: Math.max(left.length, right.length + down) }, (_, row) => {
    const cells = left[row] ?? [];
    const others = right[row - down];
    const blank = Array.from({ length: width + gap - cells.length }, () => null);
    return others === undefined ? cells : [...cells, ...blank, ...others];
  });
}

function asTexts(grid: unknown[][]): string[][] {
  return grid.slice(1).map((row) => row.map(String));
}

const apartByKeys: Rows = [
  ['처리구분', '건수', null, '업종', '매출액'],
  ['접수', 10, null, '음식', 1000],
  ['처리', 20, null, '숙박', 2000],
];

test('tables beside each other that only their keys distinguish are one, and named', async () => {
  const { tables, kinds } = await tablesOf([['현황'], ...apartByKeys]);
  assert.deepEqual(
    tables.map(([, columns]) => columns),
    ['처리구분,건수,열3,업종,매출액'],
  );
  assert.deepEqual(kinds, ['layout_unclear 1']);
});

test('tables beside each other in a CSV file are one, and named', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, apartByKeys.map((row) => `${row.join()}\n`).join(''));
  const { tables, findings } = await readWhole(path);
  assert.equal(tables.length, 1);
  const [{ kind, row, detail } = assert.fail()] = findings;
  assert.deepEqual([kind, row], ['layout_unclear', 1]);
  assert.match(detail, /^Both sides of a blank column were read as one table: 처리구분 …, 업종 …/u);
});

test('a blank column before columns without a header of their own is not reported as doubtful', async () => {
  const rows = apartByKeys.map((row) => [...row.slice(0, 3), row[3]]);
  const { kinds } = await tablesOf(rows);
  assert.deepEqual(kinds, []);
});

test('of any two tables beside each other, each cell is in its own table', async () => {
  const property = fc.asyncProperty(
    table,
    table,
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 0, max: 3 }),
    async (one, other, gap, down) => {
      const areEqual = down === 0 && one.rows === other.rows;
      const [left, right] = [gridFor(one, '가'), gridFor(other, '나')];
      const rows = beside(left, right, gap, down);
      const titles = beside([['1. 가', ...one.names]], [['2. 나']], gap, 0);
      titles[0]!.fill(null, 1, 1 + one.names.length);
      const { tables } = await tablesOf(areEqual || down === 0 ? [...titles, ...rows] : rows);
      assert.deepEqual(
        tables.map(([, columns, read]) => [columns, read]),
        [
          [left[0]!.join(), asTexts(left)],
          [right[0]!.join(), asTexts(right)],
        ],
      );
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 1_000 : 40 });
});

test('of any table with spacers, each cell is in one table', async () => {
  const columns = fc.uniqueArray(word, { minLength: 2, maxLength: 8 });
  const property = fc.asyncProperty(
    columns,
    fc.integer({ min: 2, max: 12 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
    fc.boolean(),
    async (names, rows, spacers, isTitled) => {
      const grid = gridFor({ names, rows }, '가');
      const after = (column: number): number =>
        spacers.filter((each) => each < names.length && each < column).length;
      const sheet = grid.map((row) => {
        const cells: unknown[] = [];
        for (const [column, cell] of row.entries()) cells[column + after(column)] = cell;
        return Array.from(cells, (cell) => cell ?? null);
      });
      const { tables } = await tablesOf(isTitled ? [['현황'], ...sheet] : sheet);
      assert.equal(tables.length, 1);
      const [[, , read]] = tables as [[string, string, (string | null)[][]]];
      assert.deepEqual(
        read.map((row) => row.filter((cell) => cell !== null)),
        asTexts(grid),
      );
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 1_000 : 40 });
});
