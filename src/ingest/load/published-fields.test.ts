import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFieldProfiler } from '../fields/profiler.ts';
import { findHeading } from '../files/heading.ts';
import { defaultFileLimits } from '../files/limits.ts';
import type { Table } from '../files/table.ts';
import { publishedFields } from './published-fields.ts';

async function* noRows() {}

/** Label, English label and unit of the fields of a table with some first rows. */
function labelsOf(rows: readonly (readonly string[])[]) {
  const { columns, layout } = findHeading(rows, rows[0]!.length, defaultFileLimits);
  const table: Table = {
    part: null,
    columns,
    layout,
    format: 'csv',
    encoding: 'utf-8',
    batches: noRows(),
  };
  const fieldsOfTable = publishedFields(table);
  const fields = createFieldProfiler(columns, {
    units: layout.units,
    publishedFields: fieldsOfTable,
  }).fields();
  return fields.map(({ name, label, labelEn, unit }) => [name, label, labelEn, unit]);
}

for (const [second, label] of [
  ['(Number)', 'Remarks (Number)'],
  ['(비고)', null],
] as const) {
  test(`a second name of Remarks, a hundred blanks and ${second} is read at once`, () => {
    const name = `Remarks${' '.repeat(100)}${second}`;
    const fields = labelsOf([
      ['이름', '수량'],
      ['Name', name],
      ['가람', '10'],
      ['나루', '12'],
    ]);
    assert.equal(fields[1]?.[2], label);
  });
}

test('English names below Korean ones are English labels, and units are units', () => {
  const rows = [
    ['지역', '인구', '면적(㎢)'],
    ['Region', 'Total population', 'Area'],
    ['-', '(명)', '(㎢)'],
    ['가람', '10', '1.5'],
  ];
  assert.deepEqual(labelsOf(rows), [
    ['지역', '지역', 'Region', null],
    ['인구', '인구', 'Total population', '명'],
    ['면적(㎢)', '면적', 'Area', '㎢'],
  ]);
});

test('Korean names below names for programs are labels; codes below Korean names are not', () => {
  const body = ['가람', '가람로 1', '3'];
  const names = [
    ['fcltNm', 'addr', 'cnt'],
    ['시설명', '주소', '대수'],
  ];
  assert.deepEqual(
    labelsOf([...names, body]).map(([, label]) => label),
    ['시설명', '주소', '대수'],
  );
  assert.deepEqual(
    labelsOf([
      ['시설', '면적'],
      ['A01', 'A02'],
      ['가람', '3'],
    ])[0],
    ['시설', '시설', null, null],
  );
});
