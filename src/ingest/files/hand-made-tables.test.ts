import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

/** The cells of the only table of a file, and its findings with their rows. */
async function readFile(name: string, content: string | Buffer) {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, content);
  const { tables, findings } = await readWhole(path);
  return { rows: tables[0]!.rows, found: findings.map(({ kind, row }) => [kind, row]) };
}

function readLines(...lines: readonly string[]) {
  return readFile('a.csv', lines.map((line) => `${line}\n`).join(''));
}

test('a mark for the cell above becomes its value, and the report has each', async () => {
  const { rows, found } = await readLines(
    '시설명,주소',
    '가람관,가람로 1',
    '나루관,〃',
    '다솜관,″',
    '라온관,상동',
  );
  assert.deepEqual(
    rows.map(([, address]) => address),
    ['가람로 1', '가람로 1', '가람로 1', '상동'],
  );
  assert.deepEqual(found, [
    ['cell_filled', 3],
    ['cell_filled', 4],
  ]);
});

test('a mark in the first row stays, because nothing is above it', async () => {
  const { rows, found } = await readLines('시설명,주소', '가람관,〃', '나루관,나루로 1');
  assert.deepEqual(rows[0], ['가람관', '〃']);
  assert.deepEqual(found, []);
});

test('errors of a spreadsheet in place of values are named, in CSV and in a workbook', async () => {
  const cells = [
    ['시설명', '면적', '기준일'],
    ['가람관', 100, '########'],
    ['나루관', '#N/A', '2024-01-01'],
    ['다솜 #2', 300, '#123'],
  ];
  const text = await readLines(...cells.map((row) => row.join()));
  assert.deepEqual(text.found, [
    ['formula_without_value', 2],
    ['formula_without_value', 3],
  ]);
  const sheet = utils.aoa_to_sheet(cells);
  sheet['B3'] = { t: 'e', v: 42, w: '#N/A' };
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, '현황');
  for (const bookType of ['xlsx', 'biff8'] as const) {
    // The type `buffer` returns a buffer.
    const content = write(workbook, { type: 'buffer', bookType }) as Buffer;
    const { rows, found } = await readFile('a.xls', content);
    assert.equal(rows[1]![1], '#N/A');
    assert.deepEqual(found, [['formula_without_value', 3]]);
  }
});

test('a row that is another header is imported and named', async () => {
  const { rows, found } = await readLines(
    '연도,시설명,면적',
    '2022,가람관,100',
    '연도,시설명,주소',
    '2023,나루관,나루로 1',
  );
  assert.equal(rows.length, 3);
  assert.deepEqual(found, [['layout_unclear', 3]]);
});

const dressed = utils.aoa_to_sheet([
  ['기관명', '홈페이지', '예산(천원)'],
  ['가람', '바로가기', 1_234_567],
  ['나루', 'https://naru.example.kr', 2_345_678],
  ['다솜', '아래 시트', 3_456_789],
]);
dressed['B2'].l = { Target: 'https://garam.example.kr' };
dressed['B3'].l = { Target: 'https://naru.example.kr' };
dressed['B4'].l = { Target: '#현황!A1' };
dressed['C2'].z = '#,##0';
dressed['C3'].z = '#,##0,';
dressed['C3'].c = [{ a: '가람', t: '잠정치' }];

test('links, comments and numbers that a workbook shows in thousands are named', async () => {
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, dressed, '현황');
  // The type `buffer` returns a buffer.
  const content = write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  const { rows, found } = await readFile('a.xlsx', content);
  assert.deepEqual(rows[1], ['나루', 'https://naru.example.kr', '2345678']);
  assert.deepEqual(found, [
    ['row_note', null],
    ['part_not_held', 2],
    ['value_odd', 3],
  ]);
});

test('numbers that a workbook of Excel 97 shows in thousands are named', async () => {
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, dressed, '현황');
  // The type `buffer` returns a buffer.
  const content = write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer;
  const { found } = await readFile('a.xls', content);
  assert.ok(found.some(([kind, row]) => kind === 'value_odd' && row === 3));
});

const numbered: readonly (readonly [title: string, line: string])[] = [
  ['numbers in brackets', '(1),(2),(3)'],
  ['numbers in circles', '①,②,③=①+②'],
  ['letters', 'A,B,C=A+B'],
];

for (const [title, line] of numbered) {
  test(`a row below the header with ${title} of the columns is not a record`, async () => {
    const { rows } = await readLines('시설명,면적,인원', line, '가람관,100,10', '나루관,200,20');
    assert.deepEqual(
      rows.map(([name]) => name),
      ['가람관', '나루관'],
    );
  });
}

test('a title beside the names of signatories is not read as a header', async () => {
  for (const gap of [[], [',,,,']]) {
    const names = '연번,시설명,면적,주소,전화';
    const lines = ['시설 현황,,,담당,과장', ...gap, names, '1,가람관,100,가람로 1,02-1'];
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.csv');
    writeFileSync(path, `${lines.join('\n')}\n2,나루관,200,나루로 2,02-2\n`);
    const { tables } = await readWhole(path);
    assert.equal(tables[0]!.columns.join(), names);
    assert.deepEqual(tables[0]!.layout.titleLines, ['시설 현황 담당 과장']);
  }
});

test('sentences below a table are footnotes', async () => {
  const { rows, found } = await readLines(
    '시설명,면적',
    '가람관,100',
    '나루관,200',
    '이 자료는 2024년 기준입니다.,',
    '담당자: 총무과,',
  );
  assert.equal(rows.length, 2);
  assert.deepEqual(found, [
    ['row_note', 4],
    ['row_note', 5],
  ]);
});

test('a title that is printed again above a repeated header is not a record', async () => {
  const page = ['2024년 시설 현황,', '시설명,면적'];
  const { rows, found } = await readLines(...page, '가람관,1', '나루관,2', ...page, '다솜관,3');
  assert.deepEqual(
    rows.map(([name]) => name),
    ['가람관', '나루관', '다솜관'],
  );
  assert.deepEqual(found, [
    ['title_line', 5],
    ['header_repeated', 6],
  ]);
});

test('a short title may be the name of a record', async () => {
  const { rows } = await readLines('가람시,,', '시군구,면적,인구', '나루시,1,2', '가람시,,');
  assert.equal(rows.length, 2);
});

const layouts: readonly (readonly [title: string, lines: readonly string[], isNamed: boolean])[] = [
  [
    'names of groups once each',
    ['부서,사업,예산', '총무,가,1', ',나,2', '복지,다,3', ',라,4'],
    true,
  ],
  ['gaps in one column', ['부서,사업,예산', '총무,가,1', '복지,나,2', ',다,3', '문화,라,'], false],
  ['numbers in every second row', ['번호,이름', '1,가', ',나', '2,다', ',라', '3,마', ',바'], true],
  [
    'titles of groups in rows of their own',
    ['이름,면적,인원', '■ 가람,,', '가,1,2', '나,3,4', '■ 나루,,', '다,5,6'],
    true,
  ],
  ['a row with a first cell only', ['이름,면적,인원', '가,1,2', '나,,', '다,5,6'], false],
  ['numbers in each row', ['번호,이름', '1,가', '2,나', '3,다', ',라'], false],
];

for (const [title, lines, isNamed] of layouts) {
  test(`a table with ${title} is ${isNamed ? '' : 'not '}named as unclear`, async () => {
    const { rows, found } = await readLines(...lines);
    assert.equal(rows.length, lines.length - 1);
    assert.deepEqual(found, isNamed ? [['layout_unclear', null]] : []);
  });
}
