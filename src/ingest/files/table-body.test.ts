import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TableBody } from './table-body.ts';
import type { Cell, FileFinding } from './table.ts';

function totalsAmong(rows: readonly (readonly Cell[])[]): number[] {
  const findings: FileFinding[] = [];
  const body = new TableBody(rows[0]!.length, (finding) => findings.push(finding));
  rows.forEach((cells, at) => {
    body.add(cells, cells.filter((cell) => cell !== null).length, at + 1);
  });
  assert.equal(body.endBatch().rows.length, rows.length, 'A total is imported like any row.');
  return findings.flatMap(({ kind, row }) => (kind === 'row_total' ? [row!] : []));
}

test('a total is a row that begins with the word for it and goes on with numbers', () => {
  const rows = [
    ['합계', '1,204', '310', null],
    [null, '소 계', 12, '-'],
    ['계', '합계', '10', '잠정'],
    ['서울', '소계', '5', '6'],
    ['총계', '10', '20', '잠정'],
    ['2019', '합계', '180', '46,253'],
    ['2017.1/4', '합계', '180', 5],
    ['부산', '(소계)', '7', '8'],
    ['[총 계]', null, '7', '8'],
    ['(주)계', '서울', '7', '8'],
  ];
  assert.deepEqual(totalsAmong(rows), [1, 2, 4, 5, 6, 7, 8, 9]);
});

test('a row without a name is a total only if all its numbers are the sums of those above', () => {
  const rows = [
    ['총무과', '10', '1,000', null],
    ['세무과', '15', '250.5', null],
    ['민원과', '5', '0', null],
    [null, '30', '1,250.5', null],
    [null, '30', '1,250', null],
    [null, '30', null, null],
  ];
  assert.deepEqual(totalsAmong(rows), [4]);
  assert.deepEqual(totalsAmong(rows.slice(1)), []);
  const withText = [...rows.slice(0, 3), [null, '30', '1,250.5', '확정']];
  assert.deepEqual(totalsAmong(withText), []);
});

test('a subtotal in a later column is a total if only numbers follow', () => {
  const rows = [
    ['비례', '서울', '종로구', '사직동', '소계', '8,064', '5,801'],
    ['비례', '서울', '종로구', '사직동', '제1투표구', '2,114', '1,203'],
    ['비례', '서울', '종로구', '합계', null, '128,992', '94,421'],
    ['비례', '서울', '종로구', '사직동', '소계', '8,064', '확정'],
    ['비례', '37', '종로구', '사직동', '소계', '8,064', '1'],
  ];
  assert.deepEqual(totalsAmong(rows), [1, 3]);
});

test('a row that repeats the header is not a record, but a row with part of it is', () => {
  const findings: FileFinding[] = [];
  const body = new TableBody(2, (finding) => findings.push(finding), ['이름', '값']);
  const rows = [
    ['가', '1'],
    ['이름', '값'],
    ['이름', '2'],
    ['이름', null],
  ];
  rows.forEach((cells, at) => body.add(cells, 2, at + 2));
  assert.deepEqual(body.endBatch().sourceRows, [2, 4, 5]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['header_repeated', 3]],
  );
  const lone = new TableBody(1, () => {}, ['이름']);
  lone.add(['이름'], 1, 2);
  assert.equal(lone.endBatch().rows.length, 1, 'One word alone may be a name.');
});

test('a bus stop called 소계 is not a total', () => {
  const rows = [
    ['소계', '37.4979', '127.0276', '23456'],
    ['23456', '소계', '37.4979', '127.0276'],
    ['강남구', '소계', '37.4979', '127.0276'],
    ['소계', '강남구', '23456', '상행'],
    ['소계', '강남구', null, null],
    ['강남구', '소계', '상행', '3'],
  ];
  assert.deepEqual(totalsAmong(rows), []);
});

test('cells below a header in another order are put under their names', () => {
  const findings: FileFinding[] = [];
  const names = ['시설명', '지역', '좌석수'];
  const body = new TableBody(3, (finding) => findings.push(finding), names);
  const rows = [
    ['가람', '서울', '12'],
    ['지역', '시설명', '좌석수'],
    ['부산', '나루', '7'],
    names,
    ['다솜', '대구', '3'],
  ];
  rows.forEach((cells, at) => body.add(cells, 3, at + 2));
  assert.deepEqual(body.endBatch().rows, [
    ['가람', '서울', '12'],
    ['나루', '부산', '7'],
    ['다솜', '대구', '3'],
  ]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [
      ['header_repeated', 3],
      ['header_repeated', 5],
    ],
  );
});

test('two values that are the names of the other column are a row', () => {
  const body = new TableBody(2, () => {}, ['남', '여']);
  body.add(['여', '남'], 2, 2);
  assert.deepEqual(body.endBatch().rows, [['여', '남']]);
});

test('a header with repeated and missing names is recognised where it comes again', () => {
  const findings: FileFinding[] = [];
  const body = new TableBody(3, (finding) => findings.push(finding), ['이름', '이름', null]);
  body.add(['이름', '이름', null], 2, 2);
  body.add(['가람', '나루', null], 2, 3);
  assert.deepEqual(body.endBatch().rows, [['가람', '나루', null]]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['header_repeated', 2]],
  );
});
