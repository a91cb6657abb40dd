import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import type { Row } from '../../data/axis.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { loadFiles } from './load.ts';

/**
 * The columns and cells of each axis after a load of some files, the files and rows of inherited headers, and those of
 * headers that may be records.
 */
async function loadTexts(files: Readonly<Record<string, string | Buffer>>) {
  using folder = temporaryFolder();
  const data = join(folder.path, 'var');
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder.path, name), content);
    return join(folder.path, name);
  });
  const report = await loadFiles(data, paths);
  using opened = OpenedSnapshot.open(data, currentId(data)!);
  const axes = [...opened.axes.keys()].map((code) => {
    const { records } = opened.part(code);
    const rows = JSON.parse(`[${records.page(0, records.count).items.toString()}]`) as Row[];
    const own = rows.map((row) => Object.entries(row).filter(([name]) => !name.startsWith('_')));
    return {
      columns: own[0]!.map(([name]) => name).join(),
      rows: own.map((row) => row.map(([, value]) => value).join()),
    };
  });
  const foundOf = (wanted: string) =>
    report.axes
      .flatMap(({ findings }) => findings)
      .filter(({ kind }) => kind === wanted)
      .flatMap(({ examples }) => examples);
  return { axes, found: foundOf('header_inherited'), unclear: foundOf('layout_unclear') };
}

type Rows = readonly (readonly unknown[])[];

function workbookOf(rows: Rows, others: Readonly<Record<string, Rows>> = {}): Buffer {
  const workbook = utils.book_new();
  for (const [name, cells] of Object.entries({ 현황: rows, ...others })) {
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(cells.map((row) => [...row])), name);
  }
  // The type `buffer` returns a buffer.
  return write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

test('parts of which only the first has a header are one table with all rows', async () => {
  const { axes, found } = await loadTexts({
    '가람시_상가_1.csv': '상호명,주소,개업일\n가람,가람로 1,2024-01-01\n나루,나루로 2,2024-01-02\n',
    '가람시_상가_2.csv': '다솜,다솜로 3,2024-02-03\n라온,라온로 4,\n',
    '가람시_상가_10.csv': '마루,마루로 5,2024-03-01\n',
  });
  assert.deepEqual(axes, [
    {
      columns: '상호명,주소,개업일',
      rows: [
        '가람,가람로 1,2024-01-01',
        '나루,나루로 2,2024-01-02',
        '다솜,다솜로 3,2024-02-03',
        '라온,라온로 4,',
        '마루,마루로 5,2024-03-01',
      ],
    },
  ]);
  assert.deepEqual(
    found.map(({ file, row, detail }) => [file, row, detail.en]),
    ['가람시_상가_2.csv', '가람시_상가_10.csv'].map((file) => [
      file,
      1,
      'The part has no header row; it was read with the header of 가람시_상가_1.csv.',
    ]),
  );
});

test('copies with numbers in brackets continue a table of codes', async () => {
  const { axes } = await loadTexts({
    '가람시_시설 (1).csv': '관리번호,시설명\nA-101,가람\nA-102,나루\nA-103,다솜\n',
    '가람시_시설 (2).csv': 'A-104,라온\nA-105,마루\n',
  });
  assert.deepEqual(axes, [
    {
      columns: '관리번호,시설명',
      rows: ['A-101,가람', 'A-102,나루', 'A-103,다솜', 'A-104,라온', 'A-105,마루'],
    },
  ]);
});

test('members of an archive continue a table, and the finding names the member', async () => {
  const members = [
    { name: '상가_2.csv', content: '다솜,02-100-0003\n' },
    { name: '상가_1.csv', content: '상호명,전화\n가람,02-100-0001\n나루,02-100-0002\n' },
  ];
  const { axes, found } = await loadTexts({ '가람시_상가.zip': zipOf(members) });
  assert.deepEqual(axes, [
    {
      columns: '상호명,전화',
      rows: ['다솜,02-100-0003', '가람,02-100-0001', '나루,02-100-0002'],
    },
  ]);
  assert.deepEqual(
    found.map(({ detail }) => detail.ko),
    ['상가_2.csv: 머리글 행이 없어 상가_1.csv의 머리글로 읽었습니다.'],
  );
});

test('a workbook continues the table of another', async () => {
  const first = [
    ['상호명', '전화'],
    ['가람', '02-100-0001'],
    ['나루', '02-100-0002'],
  ];
  const { axes } = await loadTexts({
    '가람시_상가_1.xlsx': workbookOf(first),
    '가람시_상가_2.xlsx': workbookOf([['다솜', '02-100-0003']]),
  });
  assert.deepEqual(
    axes.map(({ rows }) => rows),
    [['가람,02-100-0001', '나루,02-100-0002', '다솜,02-100-0003']],
  );
});

const clubs = '단체명,대표자,활동분야\n가람회,김가람,환경\n나루회,이나루,복지\n';

test('a part of texts continues the first part if its first row has a value of that part', async () => {
  const { axes, found } = await loadTexts({
    '가람시_단체_1.csv': clubs,
    '가람시_단체_2.csv': '다솜회,박다솜,복지\n라온회,최라온,체육\n',
  });
  assert.deepEqual(
    axes.map(({ rows }) => rows),
    [['가람회,김가람,환경', '나루회,이나루,복지', '다솜회,박다솜,복지', '라온회,최라온,체육']],
  );
  assert.deepEqual(
    found.map(({ file, row }) => [file, row]),
    [['가람시_단체_2.csv', 1]],
  );
});

test('a part of texts without a known value is read by itself and named in the report', async () => {
  const { axes, unclear } = await loadTexts({
    '가람시_단체_1.csv': clubs,
    '가람시_단체_2.csv': '다솜회,박다솜,체육\n라온회,최라온,보건\n',
  });
  assert.equal(axes.length, 2);
  const [{ file, row, detail } = assert.fail(), ...others] = unclear;
  assert.deepEqual([file, row, others.length], ['가람시_단체_2.csv', 1, 0]);
  assert.match(
    detail.en,
    /^The first row was read as the header: 다솜회, 박다솜, 체육\. .*_1\.csv/u,
  );
  assert.match(detail.ko, /^첫 행을 머리글로 읽었습니다: 다솜회, 박다솜, 체육\. /u);
});

test('members of an archive that may lack a header are named', async () => {
  const members = [
    { name: '단체_1.csv', content: clubs },
    { name: '단체_2.csv', content: '다솜회,박다솜,체육\n라온회,최라온,보건\n' },
  ];
  const { unclear } = await loadTexts({ '가람시_단체.zip': zipOf(members) });
  assert.deepEqual(
    unclear.map(({ detail }) => detail.en.split(':')[0]),
    ['단체_2.csv'],
  );
});

const lamps = [
  ['관리번호', '위치', '설치연도'],
  ['A-101', '가람로 1', 2001],
  ['A-102', '가람로 2', 2002],
  ['A-103', '가람로 3', 2003],
];

test('a sheet without a header continues the sheet before it', async () => {
  const content = workbookOf(lamps, { '현황(2)': [['A-104', '가람로 4', 2004]] });
  const { axes, found } = await loadTexts({ '가람시_가로등.xlsx': content });
  const rows = lamps.slice(1).map((row) => [...row, '현황'].join());
  assert.deepEqual(axes, [
    { columns: '관리번호,위치,설치연도,시트', rows: [...rows, 'A-104,가람로 4,2004,현황(2)'] },
  ]);
  assert.deepEqual(
    found.map(({ row, detail }) => [row, detail.en]),
    [[1, '현황(2) has no header row; it was read with the header of 현황.']],
  );
});

test('a sheet whose header is listed in a sheet of columns keeps its header', async () => {
  const columns = [
    ['항목', '설명'],
    ['시설', '시설의 이름'],
    ['위치', '시설의 주소'],
  ];
  const content = workbookOf(columns, {
    자료: [
      ['시설', '위치'],
      ['가람관', '가람로 1'],
    ],
  });
  const { axes, found } = await loadTexts({ '가람시_시설.xlsx': content });
  assert.deepEqual(axes.map((axis) => axis.columns).sort(), ['시설,위치', '항목,설명']);
  assert.deepEqual(found, []);
});

test('a sheet with another header is named only if its name continues a series', async () => {
  const others = [
    ['단체명', '대표자', '분야'],
    ['가람회', '김가람', '환경'],
  ];
  const content = workbookOf(lamps, { '현황(2)': others, 단체: others });
  const { found, unclear } = await loadTexts({ '가람시_가로등.xlsx': content });
  assert.deepEqual(found, []);
  assert.deepEqual(
    unclear.map(({ row, detail }) => [row, detail.en.split(':')[0]]),
    [[1, '현황(2)']],
  );
});

const headers: readonly (readonly [title: string, first: string, second: string])[] = [
  ['texts', '상호명,주소/가람,가람로 1/나루,나루로 2', '시설명,관리자/다솜,라온'],
  ['texts where all columns are texts', '이름,비고/가람,가/나루,나', '다솜,다/라온,라'],
  ['another width', '상호명,면적/가람,1/나루,2', '다솜,라온,3/마루,바다,4'],
  ['names over numbers', '지역,인구/가람,1500/나루,2500', '구역,면적/다솜,3/라온,4'],
  ['years', '지역,인구,면적/가람,1,5/나루,2,6', '구역,2023,2024/다솜,3,7/라온,4,8'],
  ['a year over numbers', '지역,연도/가람,2021/나루,2022', '구역,2023/다솜,3/라온,4'],
  ['months', '지역,일,이,삼/가람,1,5,9/나루,2,6,8', '구역,1,2,3/다솜,3,7,7/라온,4,8,5'],
  ['one of the same names', '지역,인구/가람,1/나루,2', '지역,2024/다솜,3/라온,4'],
];

for (const [title, first, second] of headers) {
  test(`a part with a header of its own stays a table by itself: ${title}`, async () => {
    const { found } = await loadTexts({
      '가람시_상가_1.csv': first.replaceAll('/', '\n'),
      '가람시_상가_2.csv': second.replaceAll('/', '\n'),
    });
    assert.deepEqual(found, []);
  });
}

test('a header whose name is a value of the first part, over numbers, stays a header', async () => {
  const { axes, found } = await loadTexts({
    '가람시_상가_1.csv': '지역,구분\n가람,합계\n나루,남자\n',
    '가람시_상가_2.csv': '구역,합계\n다솜,3\n라온,4\n',
  });
  assert.equal(axes.length, 2);
  assert.deepEqual(found, []);
});

test('of random parts of texts, each row is stored once or its file is named', async () => {
  const field = fc.constantFrom('환경', '복지', '문화', '교육', '체육', '보건');
  const part = fc.array(field, { minLength: 2, maxLength: 4 });
  const property = fc.asyncProperty(
    fc.array(part, { minLength: 2, maxLength: 4 }),
    async (parts) => {
      let count = 0;
      const lines = parts.map((fields) =>
        fields.map((each) => `단체 ${'가나다라'[count % 4]}${++count},${each}`),
      );
      const files = lines.map((rows, index) => [
        `가람시_단체_${index + 1}.csv`,
        [...(index === 0 ? ['단체명,활동분야'] : []), ...rows, ''].join('\n'),
      ]);
      const { axes, unclear } = await loadTexts(Object.fromEntries(files));
      const stored = new Set(axes.flatMap(({ rows }) => rows));
      const named = new Set(unclear.map(({ file }) => file));
      for (const [index, rows] of lines.entries()) {
        const isStored = rows.every((row) => stored.has(row));
        assert.notEqual(isStored, named.has(`가람시_단체_${index + 1}.csv`));
      }
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 100 : 4 });
});

test('of random parts, with and without headers, each row is stored once', async () => {
  const part = fc.record({ rows: fc.integer({ min: 1, max: 4 }), hasHeader: fc.boolean() });
  const property = fc.asyncProperty(
    fc.array(part, { minLength: 1, maxLength: 4 }),
    async (parts) => {
      let count = 0;
      const written: string[] = [];
      const texts = [{ rows: 2, hasHeader: true }, ...parts].map(({ rows, hasHeader }) => {
        const lines = Array.from({ length: rows }, () => `칸${++count},길 ${count},${count * 10}`);
        written.push(...lines);
        return [...(hasHeader ? ['상호명,주소,면적'] : []), ...lines, ''].join('\n');
      });
      const files = texts.map((text, index) => [`가람시_상가_${index + 1}.csv`, text]);
      const { axes, found } = await loadTexts(Object.fromEntries(files));
      assert.deepEqual(axes, [{ columns: '상호명,주소,면적', rows: written }]);
      assert.equal(found.length, parts.filter(({ hasHeader }) => !hasHeader).length);
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 100 : 4 });
});
