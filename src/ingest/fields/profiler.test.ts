import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../data/axis.ts';
import type { Cell } from '../files/table.ts';
import { distinctMax, tableValuesMax } from './column.ts';
import { createFieldProfiler, type FieldProfilerOptions } from './profiler.ts';

function profile(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  options?: FieldProfilerOptions,
) {
  const profiler = createFieldProfiler(columns, options);
  for (const row of rows) profiler.add(row);
  return profiler;
}

function fieldOf(name: string, cells: readonly Cell[], options?: FieldProfilerOptions): Field {
  const [field] = profile(
    [name],
    cells.map((cell) => [cell]),
    options,
  ).fields();
  assert.ok(field);
  return field;
}

function numbersOf(name: string, cells: readonly string[]) {
  const { type, unit, stats } = fieldOf(name, cells);
  return [type, unit, stats.min, stats.max];
}

function signsIn(title: string, name: string, cells: readonly string[]) {
  const { type, signs, stats } = fieldOf(name, cells, { title });
  return [type, signs, stats.min];
}

function datesOf(name: string, cells: readonly string[]) {
  const { type, role, stats } = fieldOf(name, cells);
  return [type, role, stats.min, stats.max];
}

test('a column is a number only when every value is one and none is a code', () => {
  assert.equal(fieldOf('좌석수', ['1', '1,234', '-5']).type, 'integer');
  assert.equal(fieldOf('면적', ['1', '2.5']).type, 'number');
  assert.equal(fieldOf('시작시각', ['900', '0430']).type, 'string');
  assert.equal(fieldOf('계좌', ['9007199254740993', '1']).type, 'string');
  assert.equal(fieldOf('우편번호', ['12345', '54321']).type, 'string');
  assert.equal(fieldOf('행정동코드', ['11', '26']).type, 'string');
  assert.equal(fieldOf('전화번호', ['1588', '1577']).type, 'string');
  assert.equal(fieldOf('연번', ['1', '2']).type, 'integer');
  assert.equal(fieldOf('비고', ['1', '둘']).type, 'string');
  assert.equal(fieldOf('비고', [null, null]).type, 'string');
  assert.equal(fieldOf('수량', [1, 2, 3]).type, 'integer');
  assert.equal(fieldOf('값', [1.5, 1e21]).type, 'string');
});

test('identifiers and times of day stay text; eight digits are a date only by the name', () => {
  assert.equal(fieldOf('statnId', ['1002000222', '1077000687']).type, 'string');
  assert.equal(fieldOf('xyzId', ['12', '13']).type, 'string');
  assert.equal(fieldOf('baseTime', ['1100', '1400']).type, 'string');
  assert.equal(fieldOf('위치업데이트', ['20140319', '20220901']).type, 'date');
});

test('only a numeric column has a unit', () => {
  assert.equal(fieldOf('가입자(명)', ['1', '2']).unit, '명');
  assert.equal(fieldOf('구분(명)', ['남', '여']).unit, null);
  const pga = fieldOf('최대지반가속도(pga)', ['0.012', '40.1']);
  assert.deepEqual([pga.label, pga.unit], ['최대지반가속도(pga)', null]);
  const publishedFields = [{ name: '구분', label: '구분', unit: '명' }];
  assert.equal(fieldOf('구분', ['남'], { publishedFields }).unit, '명');
});

test('a column stays numeric while at least a tenth of its texts are values', () => {
  const four = ['1', '2', '3', '4'];
  const field = fieldOf('수량', [...four, '-']);
  assert.equal(field.type, 'integer');
  assert.equal(field.stats.nonNull, 5);
  assert.deepEqual([field.stats.min, field.stats.max], [1, 4]);
  const markers = ['--', '(NULL)', '-', '해당없음', 'N/A', 'null', 'NaN', '–', '#N/A'];
  assert.equal(fieldOf('수량', ['1', ...markers]).type, 'integer');
  assert.equal(fieldOf('수량', ['1', ...markers, '-']).type, 'string');
});

test('symbols of statistics among numbers do not make a column text, but codes do', () => {
  const numbers = ['12', '7', '30', '4', '85', '61', '9'];
  assert.equal(fieldOf('좌석수', [...numbers, 'X', '***', '…']).type, 'integer');
  assert.equal(fieldOf('좌석수', [...numbers, 'X', 'Y', '…']).type, 'string');
  assert.equal(fieldOf('등급', ['1', '2', 'X']).type, 'string');
  assert.equal(fieldOf('호텔등급', ['***', '****', '*****', '***']).type, 'string');
});

test('written dates are dates; eight digits are a date only by the column’s name', () => {
  const dashed = fieldOf('기준일자', ['2024-01-31', '2024.1.5.']);
  assert.equal(dashed.type, 'date');
  assert.deepEqual([dashed.stats.min, dashed.stats.max], ['2024-01-05', '2024-01-31']);
  assert.equal(fieldOf('지정일자', ['20240131', '20231231']).type, 'date');
  assert.equal(fieldOf('조회수', ['20240131', '20231231']).type, 'integer');
  assert.equal(fieldOf('지정일자', ['20240131', '20241331']).type, 'integer');
  assert.equal(fieldOf('일련번호', ['20240131', '20240132', '20240130']).type, 'integer');
  const moment = fieldOf('수집일시', ['2024-01-31 09:30', '2024-02-01']);
  assert.equal(moment.type, 'datetime');
  assert.deepEqual(
    [moment.stats.min, moment.stats.max],
    ['2024-01-31T09:30:00', '2024-02-01T00:00:00'],
  );
});

test('a column whose values all have one unit is numeric and has that unit', () => {
  assert.deepEqual(numbersOf('비율', ['12.5%', '3%', '0']), ['number', '%', 0, 12.5]);
  assert.deepEqual(numbersOf('넓이', ['15㎡', '1,234.5 m²', '-']), ['number', '㎡', 15, 1234.5]);
  assert.deepEqual(numbersOf('요금', ['3만 5천원', '1,234원']), ['integer', '원', 1234, 35_000]);
  assert.deepEqual(numbersOf('요금', ['3만원', '5천원', '무료']), ['string', null, null, null]);
  assert.deepEqual(numbersOf('요금', ['3만원', '500원']), ['integer', '원', 500, 30_000]);
  assert.deepEqual(numbersOf('공사비', ['1억 2천', '3,000만']), ['integer', null, 3e7, 1.2e8]);
  assert.deepEqual(numbersOf('거리', ['30 km', '200 m']), ['string', null, null, null]);
  assert.deepEqual(numbersOf('요금(천원)', ['15천원', '3']), ['integer', '천원', 3, 15]);
  assert.deepEqual(numbersOf('등급', ['1종', '2종']), ['string', null, null, null]);
  const mostlyPlain = Array.from({ length: 200 }, (_, at) => String(at));
  assert.deepEqual(numbersOf('거리', [...mostlyPlain, '3km']), ['integer', null, 0, 199]);
});

test('a letter is the unit of a column of amounts, not of codes, ages and orders', () => {
  assert.deepEqual(numbersOf('쪽', ['51,325p', '120p']), ['integer', 'p', 120, 51_325]);
  assert.deepEqual(numbersOf('주차대수', ['20대', '3대']), ['integer', '대', 3, 20]);
  assert.deepEqual(numbersOf('연령', ['20대', '30대']), ['string', null, null, null]);
  assert.deepEqual(numbersOf('좌석', ['12A', '13A']), ['string', null, null, null]);
  assert.deepEqual(numbersOf('변경차수', ['1차', '2차']), ['string', null, null, null]);
});

test('a comma is a decimal point if it cannot separate thousands or items of a list', () => {
  assert.deepEqual(signsIn('', '농도', ['3,5', '12,1', '9,0', '0,301', '7']), [
    'number',
    'commas',
    0.301,
  ]);
  assert.deepEqual(signsIn('', '농도', ['3,5', '12,1', '9,0', '1,234']), [
    'string',
    undefined,
    null,
  ]);
  const lines = ['1002,1077', '1077,1002', '1063,1002', '1065,1009'];
  assert.deepEqual(signsIn('', '노선', lines), ['string', undefined, null]);
  assert.deepEqual(signsIn('', '휴관', ['2,4', '1,3', '2,4', '1,3']), ['string', undefined, null]);
});

test('blanks separate thousands if the numbers cannot be a list', () => {
  const people = ['1 234 567', '12 345', '2 001', '150 152'];
  assert.deepEqual(signsIn('', '인구', people), ['integer', 'blanks', 2001]);
  assert.deepEqual(signsIn('', '노선', ['150 152', '402 405']), ['string', undefined, null]);
});

test('△ means minus, ▲ and brackets only in a table about money, and none beside ▽', () => {
  assert.deepEqual(signsIn('', '수량', ['△12', '3']), ['integer', 'accounting', -12]);
  assert.deepEqual(signsIn('2024년 예산서', '비교', ['▲1,200', '3']), [
    'integer',
    'accounting',
    -1200,
  ]);
  assert.deepEqual(signsIn('', '증감', ['(1,234)', '55']), ['integer', 'accounting', -1234]);
  assert.deepEqual(signsIn('농산물 시세', '전주 대비', ['▲12', '3']), ['string', undefined, null]);
  assert.deepEqual(signsIn('예산', '등락', ['▲12', '3']), ['string', undefined, null]);
  assert.deepEqual(signsIn('', '비교', ['△12', '▽3']), ['string', undefined, null]);
  assert.deepEqual(signsIn('', '주석', ['(1)', '(2)']), ['string', undefined, null]);
});

test('dates in words, months and quarters are dates', () => {
  const expected = ['date', 'date', '2024-01-01', '2024-07-01'];
  assert.deepEqual(datesOf('기준', ['2024.1분기', '2024년 3분기']), expected);
  const months = ['date', 'date', '2024-01', '2024-07'];
  assert.deepEqual(datesOf('기간', ['2024년 1월', '2024년 7월']), months);
  assert.deepEqual(datesOf('준공', ["'24.1.1", '2024년 7월 1일', '미상']).slice(0, 1), ['string']);
  assert.deepEqual(datesOf('준공', ["'24.1.1", '2024년 7월 1일', '2024-03-05']), expected);
  assert.deepEqual(datesOf('계약일', ['24.01.01', '24. 7. 1.']), expected);
  assert.equal(fieldOf('버전', ['24.01.01', '24.3.5']).type, 'string');
  const numbers = Array.from({ length: 200 }, (_, at) => String(at));
  assert.equal(fieldOf('수량', [...numbers, '2024년 3월', '3km']).type, 'integer');
  assert.equal(fieldOf('등록', ['2024-03-05 오후 2:30', '2024-03-05']).type, 'datetime');
});

test('written numbers are counted by unit past the bound of distinct values', () => {
  const lengths = Array.from({ length: distinctMax * 2 }, (_, at) => `${at + 1}m`);
  const field = fieldOf('길이', [...lengths, '20km', '30km']);
  assert.deepEqual([field.type, field.unit, field.stats.max], ['integer', 'm', distinctMax * 2]);
  const profiler = profile(
    ['길이'],
    [...lengths, '20km', '20km'].map((cell) => [cell]),
  );
  const odd = profiler.oddTexts().map(({ count, examples }) => [count, examples[0]?.text]);
  assert.deepEqual(odd, [[2, '20km']]);
});

test('figures such as 202406 are months only in a column whose label is that of a month', () => {
  const months = ['date', 'date', '2018-04', '2018-11'];
  assert.deepEqual(datesOf('계약년월', ['201804', '201811']), months);
  assert.deepEqual(datesOf('기준월', ['2018.04', '2018.11']), months);
  assert.deepEqual(datesOf('통계시점', ['2018-04', '2018. 11.']), months);
  assert.deepEqual(datesOf('연월', ['2018/4', '201811']), months);
  assert.equal(fieldOf('건수', ['201804', '201811']).type, 'integer');
  assert.equal(fieldOf('단가', ['2018.04', '2018.11']).type, 'number');
  assert.equal(fieldOf('지번', ['2018-04', '2018-11']).type, 'string');
  assert.equal(fieldOf('기준월', ['1', '12']).type, 'integer');
  assert.equal(fieldOf('개월', ['201804', '201811']).type, 'integer');
  assert.equal(fieldOf('등록일자', ['201204', '201811']).type, 'integer');
});

function convertedCodes(values: readonly string[]): (readonly [count: number, example: string])[] {
  const profiler = createFieldProfiler(['번지']);
  for (const value of values) profiler.add([value]);
  return profiler.codesAsDates().map(({ count, examples }) => [count, examples[0]!.text]);
}

test('codes that a spreadsheet made dates of are found among codes with a hyphen alone', () => {
  const codes = Array.from({ length: 40 }, (_, at) => `${at + 1}-${at + 3}`);
  assert.deepEqual(convertedCodes([...codes, '658', 'Feb-58', '12-Mar', 'Feb-58']), [
    [3, 'Feb-58'],
  ]);
  assert.deepEqual(convertedCodes([...codes, '02월 05일']), [[1, '02월 05일']]);
  assert.deepEqual(convertedCodes(codes), []);
  assert.deepEqual(convertedCodes(['Feb-58', 'Mar-12', '12-3', '4-1']), [], 'too few codes');
  assert.deepEqual(
    convertedCodes([...codes, 'Feb-58', ...codes.map((code) => `산 ${code}`)]),
    [],
    'words',
  );
});

test('a column with one impossible date among three is a date, and the place is reported', () => {
  const good = ['2024-01-01', '2024-02-29'];
  const field = fieldOf('조사일', [...good, '2015-09-31']);
  assert.equal(field.type, 'date');
  assert.deepEqual([field.stats.min, field.stats.max], ['2024-01-01', '2024-02-29']);
  assert.equal(fieldOf('조사일', ['2024-01-01', '2015-09-31']).type, 'string');
  const place = { file: '조사.csv', row: 1 };
  const profiler = createFieldProfiler(['조사일', '면적'], { place });
  const impossible = ['2023-02-30', '0000-00-00', '2024-13-01', '99991332'];
  for (const cell of [...good, ...good, ...good, ...good, ...impossible, '99991332']) {
    place.row++;
    profiler.add([cell, '99991332']);
  }
  assert.equal(profiler.fields()[0]?.type, 'date');
  assert.equal(profiler.fields()[1]?.type, 'integer');
  assert.deepEqual(profiler.impossibleDates(), [
    {
      field: '조사일',
      count: 5,
      examples: impossible.map((text, at) => ({ file: '조사.csv', row: at + 10, text })),
    },
  ]);
});

test('a few odd texts leave a column its type and are reported with row and value', () => {
  const numbers = Array.from({ length: 970 }, (_, at) => `3.${at + 1}`);
  const traces = Array.from({ length: 30 }, () => 'tr');
  assert.equal(fieldOf('철', [...numbers, ...traces]).type, 'number');
  assert.equal(fieldOf('철', [...numbers.slice(0, 550), ...traces]).type, 'string');
  const latitudes = Array.from({ length: distinctMax * 2 }, (_, at) => `35.${10_000 + at}`);
  const place = { file: 'CCTV.csv', row: 1 };
  const profiler = createFieldProfiler(['위도', '설치일자', '산지'], { place });
  for (const [at, latitude] of [...latitudes, '35..17', '35.1.2', '35..17'].entries()) {
    place.row = at + 2;
    const isOdd = at === 7;
    profiler.add([latitude, isOdd ? '미상' : '2024-01-31', isOdd ? '부산' : '대구']);
  }
  const types = profiler.fields().map(({ type, role }) => `${type} ${role}`);
  assert.deepEqual(types, ['number lat', 'date date', 'string null']);
  assert.deepEqual(profiler.oddTexts(), [
    {
      field: '위도',
      type: 'number',
      count: 3,
      examples: [
        { file: 'CCTV.csv', row: 20_002, text: '35..17' },
        { file: 'CCTV.csv', row: 20_003, text: '35.1.2' },
      ],
    },
    {
      field: '설치일자',
      type: 'date',
      count: 1,
      examples: [{ file: 'CCTV.csv', row: 9, text: '미상' }],
    },
  ]);
});

test('many different texts, or one in a short column, make a column text', () => {
  const numbers = Array.from({ length: 2000 }, (_, at) => String(at + 1));
  const floors = Array.from({ length: 21 }, (_, at) => `지하 ${at}`);
  assert.equal(fieldOf('층', [...numbers, ...floors.slice(1)]).type, 'integer');
  assert.equal(fieldOf('층', [...numbers, ...floors]).type, 'string');
  assert.equal(fieldOf('층', [...numbers.slice(0, 99), '지하']).type, 'integer');
  assert.equal(fieldOf('층', [...numbers.slice(0, 98), '지하']).type, 'string');
});

test('TRUE and FALSE are booleans; Y and N stay text', () => {
  assert.equal(fieldOf('손없는날', ['TRUE', 'FALSE']).type, 'boolean');
  assert.equal(fieldOf('사용', [true, false, null]).type, 'boolean');
  assert.equal(fieldOf('사용여부', ['Y', 'N']).type, 'string');
});

test('statistics are exact up to the bound, and distinct is null past it', () => {
  const field = fieldOf('이름', ['가', '나나', '가', null, '다다다']);
  assert.deepEqual(
    { ...field.stats, examples: field.stats.examples.toSorted() },
    {
      nonNull: 4,
      distinct: 3,
      minLength: 1,
      maxLength: 3,
      min: null,
      max: null,
      examples: ['가', '나나', '다다다'],
    },
  );
  const values = Array.from({ length: distinctMax }, (_, at) => `값${at}`);
  assert.equal(fieldOf('이름', values).stats.distinct, distinctMax);
  const past = fieldOf('이름', [...values, '하나 더', '하나 더', '값0']);
  assert.equal(past.stats.distinct, null);
  assert.equal(past.stats.nonNull, distinctMax + 3);
});

test('a table of any width stores values up to its bound', () => {
  const columns = Array.from({ length: 100 }, (_, at) => `열${at}`);
  const rows = Array.from({ length: 4000 }, (_, row) => columns.map((name) => `${name} ${row}`));
  const counts = profile(columns, rows)
    .fields()
    .map(({ stats }) => stats.distinct);
  assert.ok(counts.includes(4000) && counts.includes(null));
  const kept = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  assert.ok(kept <= tableValuesMax);
});

test('types are right past the bound of distinct values', () => {
  const values = Array.from({ length: distinctMax * 2 }, (_, at) => String(at + 1));
  assert.equal(fieldOf('금액', values).type, 'integer');
  assert.equal(fieldOf('금액', [...values, '0123']).type, 'string');
  assert.equal(fieldOf('금액', [...values, '5000000']).stats.max, 5_000_000);
});

test('examples leave out values that may be personal', () => {
  const mobile = fieldOf('전화번호', ['010-1234-5678', '+82 10 1234 5678', '02-123-4567']);
  assert.deepEqual(mobile.stats.examples, ['02-123-4567']);
  assert.deepEqual(fieldOf('비고', ['900101-1234567', 'a@b.kr']).stats.examples, []);
  assert.deepEqual(fieldOf('대표자명', ['홍길동']).stats.examples, []);
});

test('examples are the most frequent values, or an even selection if all differ', () => {
  const frequent = fieldOf('종류', [
    '드문',
    ...Array.from({ length: 9 }, (_, at) => `종류${at % 6}`),
  ]);
  assert.equal(frequent.stats.examples.length, 5);
  assert.equal(frequent.stats.examples[0], '종류0');
  const spread = fieldOf(
    '이름',
    Array.from({ length: 100 }, (_, at) => `이름${at}`),
  );
  assert.deepEqual(spread.stats.examples, ['이름0', '이름20', '이름40', '이름60', '이름80']);
});

test('a key is a column of identifiers without missing or repeated ones', () => {
  const rows = [
    ['1', 'A-1', '11', '가'],
    ['2', 'A-2', '11', '나'],
  ];
  const columns = ['연번', '관리번호', '시도코드', '이름'];
  assert.deepEqual(profile(columns, rows).keyFields(), ['관리번호']);
  assert.deepEqual(profile(columns, [...rows, ['3', 'A-2', '26', '다']]).keyFields(), ['연번']);
  assert.deepEqual(profile(columns, [...rows, [null, null, '26', '다']]).keyFields(), []);
});

test('a key is found past the bound of distinct values', () => {
  const ids = Array.from({ length: distinctMax * 3 }, (_, at) => [`BUS${at}`]);
  assert.deepEqual(profile(['정류장아이디'], ids).keyFields(), ['정류장아이디']);
  assert.deepEqual(profile(['정류장아이디'], [...ids, ['BUS0']]).keyFields(), []);
  assert.deepEqual(profile(['정류장아이디'], [...ids, ids.at(-1) ?? []]).keyFields(), []);
});

test('published facts about a field replace the inferred ones', () => {
  const field = fieldOf('avgTa', ['1.5'], {
    publishedFields: [{ name: 'avgTa', label: '평균 기온', unit: '℃', role: null }],
    units: ['도'],
  });
  assert.deepEqual([field.label, field.labelSource, field.unit], ['평균 기온', 'portal', '℃']);
  assert.equal(fieldOf('면적', ['1.5'], { units: ['㎡'] }).unit, '㎡');
});

test('a published role is not given to a second column', () => {
  const columns = ['시설명', '상호명'];
  const options: FieldProfilerOptions = {
    publishedFields: [{ name: '상호명', label: '상호명', role: 'name' }],
  };
  const roles = profile(columns, [['가', '나']], options)
    .fields()
    .map(({ role }) => role);
  assert.deepEqual(roles, [null, 'name']);
});

test('numbers, booleans and coordinates are not searched, whole numbers are', () => {
  assert.equal(fieldOf('위도', ['37.5']).searchable, false);
  assert.equal(fieldOf('면적', ['1.5']).searchable, false);
  assert.equal(fieldOf('사용', ['TRUE']).searchable, false);
  assert.equal(fieldOf('건축년도', ['1987']).searchable, true);
  const shape = fieldOf('geometry', ['{"type":"Point","coordinates":[1,2]}']);
  assert.deepEqual([shape.searchable, shape.label], [false, '도형']);
});

test('coordinates in degrees, minutes and seconds have a role and are numbers', () => {
  const rows = [
    ['37°33\'36"N', '126-58-40.5'],
    ['35°10′46″', '129-04-30'],
    ['35.5', '129.1'],
  ];
  const fields = profile(['위도', '경도'], rows).fields();
  assert.deepEqual(
    fields.map(({ type, role, signs, stats }) => [type, role, signs, stats.max]),
    [
      ['number', 'lat', 'degrees', 37.56],
      ['number', 'lon', 'degrees', 129.1],
    ],
  );
  assert.equal(fieldOf('지번', ['37-33-36', '126-58-40']).type, 'string');
});

test('minutes and seconds of coordinates are not odd coordinates', () => {
  const profiler = createFieldProfiler(['위도_초', '경도(초)', '위도', '경도']);
  for (let row = 0; row < 60; row++)
    profiler.add([`${row}.5`, `${row}.25`, `37.5${row}`, row === 7 ? '12.5' : `127.0${row}`]);
  assert.deepEqual(
    profiler.strayCoordinates().map(({ field, count }) => [field, count]),
    [['경도', 1]],
  );
});

test('columns that would have the same label get different ones', () => {
  const labels = createFieldProfiler(['경도(시)', '경도(분)', '경도(분)_2', '경도'])
    .fields()
    .map(({ label }) => label);
  assert.equal(new Set(labels).size, 4, labels.join());
});
