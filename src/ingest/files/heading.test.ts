import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeadRow } from './head-row.ts';
import { findHeading } from './heading.ts';
import { defaultFileLimits } from './limits.ts';

interface Case {
  readonly title: string;
  readonly head: string;
  readonly columns: string;
  readonly headerRows: number;
  readonly firstDataRow: number;
}

const cases: readonly Case[] = [
  {
    title: 'one row of names',
    head: '번호,이름/1,가람/2,나루',
    columns: '번호,이름',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'a name that is a number, over numbers that have names',
    head: '번호,이름,119/1,가람,3/2,나루,4',
    columns: '번호,이름,119',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'hours as names',
    head: '노선,0,1,2,3/가람,10,20,30,40/나루,11,21,31,41',
    columns: '노선,0,1,2,3',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'one name for two columns',
    head: '이름,이름,/가,나,다/라,마,바',
    columns: '이름,이름_2,열3',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'one name alone over rows of texts',
    head: '시도,,/서울,강남구,역삼동/부산,중구,남포동',
    columns: '시도,열2,열3',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'a title over names',
    head: '공원현황,,/이름,주소,비고/가람,서울,없음/나루,부산,없음',
    columns: '이름,주소,비고',
    headerRows: 1,
    firstDataRow: 2,
  },
  {
    title: 'a word as a title over names',
    head: '구분,,/시설명,주소,비고/가람,서울,없음/나루,부산,없음',
    columns: '시설명,주소,비고',
    headerRows: 1,
    firstDataRow: 2,
  },
  {
    title: 'no names at all',
    head: '1,가람,02-000-0000/2,나루,02-000-0001',
    columns: '열1,열2,열3',
    headerRows: 0,
    firstDataRow: 0,
  },
  {
    title: 'a merged parent row above, sparser than its children',
    head: '○○시 현황,,,,,/구분,,인구,,,세대/시도,시군구,계,남,여,계/가람,나루,3,1,2,1/가람,다솜,7,3,4,2',
    columns: '구분_시도,구분_시군구,인구_계,인구_남,인구_여,세대_계',
    headerRows: 2,
    firstDataRow: 3,
  },
  {
    title: 'names repeated over merged cells, three rows deep',
    head: '기간,인구,인구,인구/기간,한국인,한국인,외국인/기간,남,여,계/2024,1,2,3',
    columns: '기간,인구_한국인_남,인구_한국인_여,인구_외국인_계',
    headerRows: 3,
    firstDataRow: 3,
  },
  {
    title: 'text under names with a gap is data',
    head: '구,,동,/가람,하나,나루,둘/다솜,셋,라온,넷',
    columns: '구,열2,동,열4',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'years under merged names',
    head: '지역,매출,,이익,/,2023,2024,2023,2024/가람,10,20,1,2',
    columns: '지역,매출_2023,매출_2024,이익_2023,이익_2024',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'a year merged over names, filled into each of its columns',
    head: '지역(1),지역(2),항목,2016,2016,2016/지역(1),지역(2),항목,계,20 - 24세,100세 이상/전국,소계,총인구수,9,4,5',
    columns: '지역(1),지역(2),항목,2016_계,2016_20 - 24세,2016_100세 이상',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'a year over names, in the first of its columns only',
    head: '지역(1),항목,2016,,,/지역(1),항목,계,남,여,미상/전국,총인구수,9,4,5,-',
    columns: '지역(1),항목,2016_계,2016_남,2016_여,2016_미상',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'years repeated over names, with ages for names',
    head: '지역,2016,2016,2017,2017/지역,0 - 4,85+,0 - 4,85+/가람,1,2,3,4/나루,5,6,7,8',
    columns: '지역,2016_0 - 4,2016_85+,2017_0 - 4,2017_85+',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'months over names, below names merged downwards',
    head: '산업별,2017.01,2017.01,2017.02,2017.02/,종사자,매출,종사자,매출/제조업,1,2,3,4',
    columns: '산업별,2017.01_종사자,2017.01_매출,2017.02_종사자,2017.02_매출',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'a title with a year is not merged over names',
    head: '현황,2023,,,,/번호,이름,주소,전화,면적,비고/1,가람,가람로,-,1,-/2,나루,나루로,-,2,-',
    columns: '번호,이름,주소,전화,면적,비고',
    headerRows: 1,
    firstDataRow: 2,
  },
  {
    title: 'rows with equal years are data',
    head: '2016,2016,가람,남/2016,2017,나루,여/2017,2017,다솜,남',
    columns: '열1,열2,열3,열4',
    headerRows: 0,
    firstDataRow: 0,
  },
  {
    title: 'a title and a unit in one line are no names',
    head: '○○ 현황,,단위 천원/번호,이름,금액/1,가람,100',
    columns: '번호,이름,금액',
    headerRows: 1,
    firstDataRow: 2,
  },
  {
    title: 'units without brackets below names, above numbers',
    head: '지역,인구,면적/,명,㎢/종로구,1000,23.9/중구,2000,9.96',
    columns: '지역,인구,면적',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'a column named 단위 makes no title of the header',
    head: '토지,면적,단위/가람,1.5ha,ha/나루,300㎡,㎡',
    columns: '토지,면적,단위',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'facts with colons above the names',
    head: '파일명:,대기.csv,,/작성일:,2024-03-01,,/작성자: 홍길동,,,쪽: 1/,,,/측정소,일시,농도,등급/가람,1시,30,좋음/나루,2시,31,보통',
    columns: '측정소,일시,농도,등급',
    headerRows: 1,
    firstDataRow: 5,
  },
  {
    title: 'facts without colons above a blank row',
    head: '기관,가람청,,/담당,김가람,,/,,,/동,남,여,계/가람,1,2,3/나루,3,4,7',
    columns: '동,남,여,계',
    headerRows: 1,
    firstDataRow: 4,
  },
  {
    title: 'names with colons, as full as the rows',
    head: '이름:,주소:/가람,가람로/나루,나루로',
    columns: '이름:,주소:',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'English names below the Korean ones, over numbers',
    head: '연 별,세 대/Year,Households/2023,1234/2024,1250',
    columns: '연 별,세 대',
    headerRows: 2,
    firstDataRow: 2,
  },
  {
    title: 'a record of English names is no header',
    head: '이름,도시/Kim,Seoul/Lee,Busan',
    columns: '이름,도시',
    headerRows: 1,
    firstDataRow: 1,
  },
  {
    title: 'a list of one column without a name',
    head: '물품1/물품2/물품3/물품40/물품51/사무용품',
    columns: '열1',
    headerRows: 0,
    firstDataRow: 0,
  },
  {
    title: 'one column',
    head: '이름/가람/나루',
    columns: '이름',
    headerRows: 1,
    firstDataRow: 1,
  },
];

function rowsOf(text: string): HeadRow[] {
  return text.split('/').map((row) => row.split(',').map((cell) => cell || null));
}

for (const { title, head, columns, headerRows, firstDataRow } of cases) {
  test(`a header is found: ${title}`, () => {
    const rows = rowsOf(head);
    const width = Math.max(...rows.map((row) => row.length));
    const heading = findHeading(rows, width, defaultFileLimits);
    assert.deepEqual(heading.columns, columns.split(','));
    assert.equal(heading.layout.headerRows, headerRows);
    assert.equal(heading.firstDataRow, firstDataRow);
  });
}

const secondRows: readonly (readonly [
  title: string,
  head: string,
  second: string,
  data: number,
])[] = [
  [
    'codes below the names, over numbers',
    '시도,인구,세대/A01,A02,A03/가람,10,5/나루,20,6',
    'A01,A02,A03',
    2,
  ],
  [
    'names of a program below the names, over texts',
    '시설명,주소,사용여부/FCLT_NM,ADDR,USE_YN/가람,가람로 1,Y/나루,나루로 2,N',
    'FCLT_NM,ADDR,USE_YN',
    2,
  ],
  [
    'Korean names below those of a program',
    'fcltNm,addr,cnt/시설명,주소,대수/가람,가람로 1,3/나루,나루로 2,4',
    '시설명,주소,대수',
    2,
  ],
  [
    'English names below the units',
    '지역,인구,면적/단위,명,㎢/Region,Population,Area/가람,10,1.5/나루,20,2.5',
    'Region,Population,Area',
    3,
  ],
];

for (const [title, head, second, data] of secondRows) {
  test(`a second row of names is not a record: ${title}`, () => {
    const { columns, layout, firstDataRow } = findHeading(rowsOf(head), 3, defaultFileLimits);
    assert.deepEqual(columns, head.split('/')[0]!.split(','));
    assert.deepEqual(layout.secondNames, second.split(','));
    assert.equal(firstDataRow, data);
  });
}

const firstRecords: readonly (readonly [title: string, head: string])[] = [
  ['English names of people', '이름,도시/Kim,Seoul/Lee,Busan'],
  ['codes like those below', '등급,구역/A01,B01/A02,B02/A03,B03'],
  ['capitals like those below', '국가,통화,은행/KOREA,KRW,BOK/JAPAN,JPY,BOJ/CHINA,CNY,PBC'],
  ['missing values of the first place', '지역,인구,면적/Seoul,NA,NA/Busan,20,2.5/Daegu,30,3.5'],
  ['a place and a suppressed number', '지역,인구/가람구,(x)/나루구,20/다솜구,30'],
  [
    'Korean texts below Latin names',
    'name,sido,type/가람도서관,경기도,공립/나루도서관,서울시,사립',
  ],
  ['units as values', '품목,단위,수량/쌀,kg,10/물,ℓ,20'],
  ['negative amounts in brackets', '수입,지출/(12),(13)/14,15/16,17'],
];

for (const [title, head] of firstRecords) {
  test(`a first record is not a second row of names: ${title}`, () => {
    const { layout, firstDataRow } = findHeading(rowsOf(head), 3, defaultFileLimits);
    assert.equal(layout.secondNames, undefined);
    assert.equal(firstDataRow, 1);
  });
}

const unitRows: readonly (readonly [head: string, units: (string | null)[]])[] = [
  ['지역,인구,예산/단위,명,천원/가람,10,1.5/나루,20,2', [null, '명', '천원']],
  ['지역,인구,예산/(단위),(명),(백만 원)/가람,10,1.5/나루,20,2', [null, '명', '백만 원']],
  ['연도,인구,예산/단위,명,백만원/2023,10,1.5/2024,20,2', [null, '명', '백만원']],
  ['지역,인구(명),비율/,(A),(A÷B)/가람,10,1.5/나루,20,2', [null, '명', null]],
  ['지역,인구,예산/-,(단위:명),(단위:천원)/가람,10,1/나루,20,2', [null, '명', '천원']],
];

for (const [head, units] of unitRows) {
  test(`a row of units is not a record: ${head.split('/', 2)[1]}`, () => {
    const { layout, firstDataRow } = findHeading(rowsOf(head), 3, defaultFileLimits);
    assert.deepEqual(layout.units, units);
    assert.equal(firstDataRow, 2);
  });
}

test('a row of units under the names gives the units', () => {
  const head = rowsOf('지역,인구,면적/,(명),(㎢)/가람,10,1.5');
  const { layout, firstDataRow } = findHeading(head, 3, defaultFileLimits);
  assert.deepEqual(layout.units, [null, '명', '㎢']);
  assert.equal(firstDataRow, 2);
});

const unitsBelowGaps: readonly (readonly [title: string, head: string, columns: string])[] = [
  [
    'a nameless column after one with a unit',
    '시도,인구,,면적/,(명),,(㎢)/가람,10,가,1/나루,20,나,2',
    '시도,인구,열3,면적',
  ],
  [
    'a nameless column after that of the word 단위',
    '시도,,인구,면적/단위,,명,㎢/가람,가,10,1/나루,나,20,2',
    '시도,열2,인구,면적',
  ],
  [
    'merged names in two rows',
    '구분,인구,,면적/,남,여,/,(명),(명),(㎢)/가람,1,2,3/나루,4,5,6',
    '구분,인구_남,인구_여,면적',
  ],
];

for (const [title, head, names] of unitsBelowGaps) {
  test(`units are not part of the names below ${title}`, () => {
    const { columns, layout } = findHeading(rowsOf(head), 4, defaultFileLimits);
    assert.deepEqual(columns, names.split(','));
    assert.deepEqual([layout.units[0], layout.units[3]], [null, '㎢']);
    assert.ok(layout.units.includes('명'));
  });
}

test('two units below a merged name distinguish its columns; other names leave units out', () => {
  const head = rowsOf('시도,인구,,면적/,(명),(%),(㎢)/가람,10,1,1/나루,20,2,2');
  const { columns, layout } = findHeading(head, 4, defaultFileLimits);
  assert.deepEqual(columns, ['시도', '인구_(명)', '인구_(%)', '면적']);
  assert.deepEqual(layout.units, [null, '명', '%', '㎢']);
});

test('brackets without a unit are part of the name', () => {
  const head = rowsOf('자료수(도서),면적(㎡),소재지(위치)/1,2,가');
  assert.deepEqual(findHeading(head, 3, defaultFileLimits).layout.units, [null, '㎡', null]);
});

test('generated names never equal existing ones', () => {
  const head = rowsOf('이름,이름,이름_2,,열4/가,나,다,라,마');
  const { columns, layout } = findHeading(head, 5, defaultFileLimits);
  assert.equal(new Set(columns).size, 5);
  assert.deepEqual(columns, ['이름', '이름_3', '이름_2', '열4_2', '열4']);
  assert.deepEqual(layout.renamedColumns, ['이름_3', '열4_2']);
});

test('rows with their number in front, as R writes them, keep their names above their cells', () => {
  const body = ['가람', '나루', '다온'].map((name, index) => [`${index + 1}`, name, 'NA', '2024']);
  const { columns, headerWidth, layout } = findHeading(
    [['시설명', '이용자수', '연도'], ...body],
    4,
    defaultFileLimits,
  );
  assert.deepEqual(columns, ['열1', '시설명', '이용자수', '연도']);
  assert.equal(headerWidth, 4);
  assert.deepEqual(layout.renamedColumns, ['열1']);
  const numbered = findHeading([['연번', '시설명', '연도'], ...body], 4, defaultFileLimits);
  assert.deepEqual(numbered.columns, ['연번', '시설명', '연도', '추가열1']);
});
