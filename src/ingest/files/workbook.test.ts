import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { CFB, utils, write, type CellObject, type WorkBook } from '@e965/xlsx';
import { readWhole } from '../../../test/read-whole.ts';

async function fileOf(t: TestContext, name: string, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'maru-sheets-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

function workbookOf(sheets: Readonly<Record<string, unknown[][]>>): WorkBook {
  const workbook = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), name);
  }
  return workbook;
}

function bytesOf(workbook: WorkBook, bookType: 'xlsx' | 'xls' | 'xlml' | 'ods'): Buffer {
  // The type `buffer` returns a buffer.
  return write(workbook, { type: 'buffer', bookType, cellStyles: true }) as Buffer;
}

function formatted(value: number, z: string): CellObject {
  return { t: 'n', v: value, z };
}

const typed = [
  ['코드', '이름', '날짜', '감지시각', '시각', '비율', '값'],
  [
    formatted(1101, '00000'),
    ' 가람 ',
    formatted(45322, 'yyyy-mm-dd'),
    formatted(44797.771527777775, 'm/d/yy h:mm'),
    formatted(0.375, 'h:mm'),
    formatted(0.125, '0.0%'),
    0.1 + 0.2,
  ],
  [formatted(2, '00000'), '나루', null, null, null, null, 1234567890123],
];
const typedRows = [
  ['01101', '가람', '2024-01-31', '2022-08-24T18:31:00', '09:00:00', '0.125', '0.3'],
  ['00002', '나루', null, null, null, null, '1234567890123'],
];

for (const bookType of ['xlsx', 'xls'] as const) {
  test(`dates, codes and numbers of ${bookType} are read as a user would copy them`, async (t) => {
    const bytes = bytesOf(workbookOf({ 현황: typed }), bookType);
    // The content decides, not the name.
    const { tables, findings } = await readWhole(await fileOf(t, 'data.csv', bytes));
    assert.equal(tables[0]?.format, bookType);
    assert.equal(tables[0]?.section, '현황');
    assert.deepEqual(tables[0]?.rows, typedRows);
    assert.deepEqual(findings, []);
  });
}

test('an elapsed time of more than a day is not read as a date', async (t) => {
  const rows = [
    ['이름', '누계'],
    ['가람', formatted(1.5, '[h]:mm')],
    ['나루', formatted(0.25, '[hh]:mm:ss')],
    ['다솜', formatted(45352, 'yyyy-mm-dd')],
  ];
  const { tables } = await readWhole(
    await fileOf(t, 'a.xlsx', bytesOf(workbookOf({ 현황: rows }), 'xlsx')),
  );
  assert.deepEqual(
    tables[0]?.rows.map(([, cell]) => cell),
    ['36:00:00', '06:00:00', '2024-03-01'],
  );
});

test('formulas without a stored value are counted, calculated ones are not', async (t) => {
  const rows = [
    ['이름', '값'],
    ['가람', 1],
    ['나루', 2],
    ['다솜', 3],
  ];
  const archive = CFB.read(bytesOf(workbookOf({ 현황: rows }), 'xlsx'), { type: 'buffer' });
  const entry = CFB.find(archive, '/xl/worksheets/sheet1.xml')!;
  const text = Buffer.from(entry.content)
    .toString()
    .replace(/<c r="B2"[^>]*>.*?<\/c>/u, '<c r="B2"><f>1+1</f></c>')
    .replace(/<c r="B3"[^>]*>.*?<\/c>/u, '<c r="B3"><f>A1</f><v></v></c>')
    .replace(/<c r="B4"[^>]*>.*?<\/c>/u, '<c r="B4" t="str"><f>IF(1,"")</f><v></v></c>');
  entry.content = Buffer.from(text);
  const bytes = CFB.write(archive, { type: 'buffer', fileType: 'zip' }) as Buffer;
  const { tables, findings } = await readWhole(await fileOf(t, 'a.xlsx', bytes));
  assert.deepEqual(tables[0]?.rows[0], ['가람', null]);
  assert.deepEqual(
    findings.map(({ kind, detail }) => [kind, detail.slice(0, 10)]),
    [['formula_without_value', '2 formulas']],
  );
});

test('merged headers name their columns and merged cells fill downwards', async (t) => {
  const sheet = utils.aoa_to_sheet([
    ['○○구 현황'],
    [],
    ['동', '인원', null, '비고'],
    [null, '남', '여', null],
    ['가람동', 1, 2, null],
    [null, 3, 4, '늘어남'],
    ['나루동', 5, 6, null],
    ['※ 매년 조사'],
    [],
  ]);
  sheet['!merges'] = ['A1:D1', 'A3:A4', 'B3:C3', 'D3:D4', 'A5:A6'].map((range) =>
    utils.decode_range(range),
  );
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, '현황');
  const { tables, findings } = await readWhole(
    await fileOf(t, 'a.xlsx', bytesOf(workbook, 'xlsx')),
  );
  const [table] = tables;
  assert.deepEqual(table?.columns, ['동', '인원_남', '인원_여', '비고']);
  assert.deepEqual(table?.layout.titleLines, ['○○구 현황']);
  assert.deepEqual(table?.rows, [
    ['가람동', '1', '2', null],
    ['가람동', '3', '4', '늘어남'],
    ['나루동', '5', '6', null],
  ]);
  assert.deepEqual(table?.sourceRows, [5, 6, 7]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['row_note', 8]],
  );
});

test('a year merged over names is a header, as in downloads of KOSIS', async (t) => {
  const sheet = utils.aoa_to_sheet([
    ['행정구역별(1)', '행정구역별(2)', '항목', 2016, null, null],
    [null, null, null, '계', '20 - 24세', '100세 이상'],
    ['전국', '소계', '총인구수 (명)', 51, 3, 0],
    [null, null, '남자인구수 (명)', 25, 2, 0],
  ]);
  sheet['!merges'] = ['A1:A2', 'B1:B2', 'C1:C2', 'D1:F1', 'A3:A4', 'B3:B4'].map((range) =>
    utils.decode_range(range),
  );
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, '데이터');
  const { tables, findings } = await readWhole(
    await fileOf(t, 'population.xlsx', bytesOf(workbook, 'xlsx')),
  );
  assert.deepEqual(tables[0]?.columns, [
    '행정구역별(1)',
    '행정구역별(2)',
    '항목',
    '2016_계',
    '2016_20 - 24세',
    '2016_100세 이상',
  ]);
  assert.deepEqual(tables[0]?.rows, [
    ['전국', '소계', '총인구수 (명)', '51', '3', '0'],
    ['전국', '소계', '남자인구수 (명)', '25', '2', '0'],
  ]);
  assert.deepEqual(findings, []);
});

test('sheets are read in order; hidden and empty ones are reported', async (t) => {
  const rows = [
    ['이름', '값'],
    ['가람', '1'],
  ];
  const workbook = workbookOf({ '1월': rows, '2월': rows, 숨김: rows, 빈칸: [] });
  workbook.Workbook = { Sheets: [{}, {}, { Hidden: 1 }, {}] };
  const path = await fileOf(t, 'a.xlsx', bytesOf(workbook, 'xlsx'));
  const { tables, findings } = await readWhole(path);
  assert.deepEqual(
    tables.map(({ section, columns, rows: read }) => [section, columns, read]),
    [
      ['1월', ['이름', '값', '시트'], [['가람', '1', '1월']]],
      ['2월', ['이름', '값', '시트'], [['가람', '1', '2월']]],
    ],
  );
  assert.deepEqual(
    findings.map(({ kind, detail }) => [kind, detail]),
    [
      ['part_not_held', 'The sheet 숨김 is hidden.'],
      ['part_not_held', 'The sheet 빈칸 is empty.'],
    ],
  );
  const chosen = await readWhole(path, { sheet: '2월' });
  assert.deepEqual(
    chosen.tables.map(({ section, columns }) => [section, columns]),
    [['2월', ['이름', '값']]],
  );
  assert.deepEqual(
    chosen.findings.map(({ detail }) => detail),
    ['Not requested: the sheets 1월, 숨김, 빈칸.'],
  );
  await assert.rejects(readWhole(path, { sheet: '3월' }), { code: 'not_a_table' });
});

test('sheets with other columns are tables of their own; a sheet of notes is not a table', async (t) => {
  const workbook = workbookOf({
    작성요령: [['이 자료는 매년 작성한다.'], ['빈칸은 해당 없음이다.']],
    사업장폐기물: [
      ['상호명', '주소'],
      ['가람', '가람로 1'],
    ],
    지정폐기물: [
      ['상호명', '주소'],
      ['나루', '나루로 2'],
    ],
    차량: [
      ['번호', '대수'],
      [1, 20],
    ],
  });
  const { tables, findings } = await readWhole(
    await fileOf(t, 'waste.xlsx', bytesOf(workbook, 'xlsx')),
  );
  assert.deepEqual(
    tables.map(({ section, columns, rows }) => [section, columns, rows[0]]),
    [
      ['사업장폐기물', ['상호명', '주소', '시트'], ['가람', '가람로 1', '사업장폐기물']],
      ['지정폐기물', ['상호명', '주소', '시트'], ['나루', '나루로 2', '지정폐기물']],
      ['차량', ['번호', '대수'], ['1', '20']],
    ],
  );
  assert.deepEqual(
    findings.map(({ kind, detail }) => [kind, detail]),
    [['part_not_held', 'The sheet 작성요령 has notes, and no table; --sheet imports it.']],
  );
});

test('the notes in a download of KOSIS are read as a table only on request', async (t) => {
  const notes = [
    ['○ 통계표ID', 'DT_1B040A3'],
    ['○ 조회기간', '[월] 202407~202408'],
    ['○ 자료다운일자', '2024.09.20 21:55'],
    ['* 주소는 달라질 수 있음'],
    [],
    ['○ 단위', '명'],
    ['○ 주석'],
    ['통계표', '* 자료 : 행정안전부'],
  ];
  const people = [
    ['행정구역별', '인구 (명)'],
    ['서울특별시', 60],
    ['부산광역시', 40],
  ];
  const named = [
    ['통계표ID', 'DT_1B040A3'],
    ['출처', '행정안전부'],
  ];
  for (const [name, rows] of [
    ['설명', notes],
    ['메타정보', named],
  ] as const) {
    const workbook = workbookOf({ [name]: rows, 데이터: people });
    const path = await fileOf(t, 'people.xlsx', bytesOf(workbook, 'xlsx'));
    const { tables, findings } = await readWhole(path);
    assert.deepEqual(
      tables.map(({ columns }) => columns),
      [['행정구역별', '인구 (명)']],
    );
    assert.deepEqual(
      findings.map(({ kind, detail }) => [kind, detail]),
      [['part_not_held', `The sheet ${name} has notes, and no table; --sheet imports it.`]],
    );
    const chosen = await readWhole(path, { sheet: name });
    assert.equal(chosen.tables.length, 1);
  }
  const bulleted = [
    ['구분', '값'],
    ['○ 가람', 1],
    ['○ 나루', 2],
  ];
  const { tables } = await readWhole(
    await fileOf(t, 'two.xlsx', bytesOf(workbookOf({ 데이터: people, 표: bulleted }), 'xlsx')),
  );
  assert.equal(tables.length, 2);
  const alone = await readWhole(
    await fileOf(t, 'notes.xlsx', bytesOf(workbookOf({ 설명: notes }), 'xlsx')),
  );
  assert.ok(alone.tables.length > 0);
});

test('tables below each other in a sheet are read apart, and each has its merged header', async (t) => {
  const sheet = utils.aoa_to_sheet([
    ['1. 인구'],
    ['동', '인원', null],
    [null, '남', '여'],
    ['가람동', 1, 2],
    ['나루동', 3, 4],
    [],
    ['2. 세대'],
    ['동', '세대', null, null],
    [null, '1인', '2인', '3인'],
    ['가람동', 5, 6, 7],
    ['나루동', 8, 9, 10],
  ]);
  sheet['!merges'] = ['A2:A3', 'B2:C2', 'A8:A9', 'B8:D8'].map((range) => utils.decode_range(range));
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, '현황');
  const { tables } = await readWhole(await fileOf(t, 'a.xlsx', bytesOf(workbook, 'xlsx')));
  assert.deepEqual(
    tables.map(({ section, columns, rows, sourceRows }) => [section, columns, rows, sourceRows]),
    [
      [
        '현황/1. 인구',
        ['동', '인원_남', '인원_여'],
        [
          ['가람동', '1', '2'],
          ['나루동', '3', '4'],
        ],
        [4, 5],
      ],
      [
        '현황/2. 세대',
        ['동', '세대_1인', '세대_2인', '세대_3인'],
        [
          ['가람동', '5', '6', '7'],
          ['나루동', '8', '9', '10'],
        ],
        [10, 11],
      ],
    ],
  );
});

test('an XML workbook named .xls is read', async (t) => {
  const rows = [
    ['이름', '값'],
    ['가람', '007'],
  ];
  const path = await fileOf(t, 'a.xls', bytesOf(workbookOf({ 현황: rows }), 'xlml'));
  const { tables } = await readWhole(path);
  assert.deepEqual(tables[0]?.rows, [['가람', '007']]);
});

test('a CSV named .xlsx is read as CSV', async (t) => {
  const path = await fileOf(t, 'a.xlsx', Buffer.from('이름,값\n가람,1\n'));
  assert.equal((await readWhole(path)).tables[0]?.format, 'csv');
});

test('a workbook with a password is refused', async (t) => {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]));
  CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(64));
  // The type `buffer` returns a buffer.
  const bytes = CFB.write(container, { type: 'buffer' }) as Buffer;
  await assert.rejects(readWhole(await fileOf(t, 'a.xlsx', bytes)), { code: 'encrypted' });
});

test('a workbook larger than the bound is refused before it is parsed', async (t) => {
  const rows = Array.from({ length: 500 }, (_, at) => [`이름${at}`, at]);
  const path = await fileOf(t, 'a.xlsx', bytesOf(workbookOf({ 현황: rows }), 'xlsx'));
  await assert.rejects(readWhole(path, { limits: { workbookBytesMax: 1000 } }), {
    code: 'too_large',
  });
});

test('a workbook cut short is refused', async (t) => {
  for (const bookType of ['xlsx', 'xls'] as const) {
    const bytes = bytesOf(workbookOf({ 현황: typed }), bookType);
    const path = await fileOf(t, 'a', bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    await assert.rejects(readWhole(path), { name: 'FileRefused' });
  }
});

test('a cell far outside the table is refused before its grid takes memory', async (t) => {
  for (const place of ['XFD2', 'A1048577', 'ZZZZZZ9999999']) {
    const sheet = utils.aoa_to_sheet([
      ['이름', '값'],
      ['하나', 1],
    ]);
    sheet[place] = { t: 's', v: '멀리' };
    sheet['!ref'] = `A1:${place}`;
    const workbook = utils.book_new();
    // A sheet of this size would be written cell by cell: the reference is made to lie instead.
    utils.book_append_sheet(
      workbook,
      place === 'XFD2' ? sheet : utils.aoa_to_sheet([['이름']]),
      '표',
    );
    const bytes = place === 'XFD2' ? bytesOf(workbook, 'xlsx') : movedCell(workbook, place);
    const path = await fileOf(t, 'far.xlsx', bytes);
    await assert.rejects(readWhole(path), { code: 'too_large' }, place);
  }
});

/** The workbook's one cell, declared to be elsewhere. */
function movedCell(workbook: WorkBook, place: string): Buffer {
  const archive = CFB.read(bytesOf(workbook, 'xlsx'), { type: 'buffer' });
  const entry = CFB.find(archive, '/xl/worksheets/sheet1.xml')!;
  const row = /\d+$/.exec(place)![0];
  const text = Buffer.from(entry.content).toString().replace('r="A1"', `r="${place}"`);
  entry.content = Buffer.from(text.replace('<row r="1"', `<row r="${row}"`));
  return CFB.write(archive, { type: 'buffer', fileType: 'zip' }) as Buffer;
}

test('hours past midnight are not days of 1900, and whole numbers of 16 digits stay exact', async (t) => {
  const cells = [
    ['종료', '심야', '일시', '번호'],
    [
      formatted(1, 'hh:mm'),
      formatted(26 / 24, '[$-412]AM/PM h:mm;@'),
      formatted(45322.5, 'h:mm'),
      1234567890123457,
    ],
  ];
  const path = await fileOf(t, 'a.xlsx', bytesOf(workbookOf({ 현황: cells }), 'xlsx'));
  const { tables } = await readWhole(path);
  assert.deepEqual(tables[0]?.rows, [
    ['24:00:00', '26:00:00', '2024-01-31T12:00:00', '1234567890123457'],
  ]);
});

test('a table that begins in column B has no column for the blank one before it', async (t) => {
  const rows = [
    [null, '공원 현황'],
    [],
    [null, '구', '공원수'],
    [null, '가람구', 3],
    [null, '나루구', 4],
  ];
  const path = await fileOf(t, 'a.xlsx', bytesOf(workbookOf({ 현황: rows }), 'xlsx'));
  const { tables } = await readWhole(path);
  assert.deepEqual(tables[0]?.columns, ['구', '공원수']);
  assert.deepEqual(tables[0]?.rows.at(-1), ['나루구', '4']);
});
