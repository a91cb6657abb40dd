import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridOfDocument, gridOfNamedColumns } from './json-grid.ts';
import { defaultFileLimits } from './limits.ts';

const names = ['구', '인구'];
const rows = [
  ['가람구', 10],
  ['나루구', null],
];
const byColumn = { 구: ['가람구', '나루구'], 인구: [10, null] };

const forms: readonly (readonly [form: string, document: unknown])[] = [
  ['rows below their names', [names, ...rows]],
  ['rows beside their names', { columns: names, index: [0, 1], data: rows }],
  ['rows in a response', { result: { 기준: '2024', fields: names, records: rows } }],
  ['values by column', byColumn],
  [
    'values by column and number of the row',
    { 구: { 0: '가람구', 1: '나루구' }, 인구: { 0: 10, 1: null } },
  ],
];

for (const [form, document] of forms) {
  test(`a table is found in ${form}`, () => {
    assert.deepEqual(gridOfDocument(document, defaultFileLimits), { names, rows });
  });
}

test('in an object of records, the names of the records become the first column', () => {
  const labelled = [
    ['가', 1, null],
    ['나', 2, 3],
  ];
  const records = { 가: { 수: 1 }, 나: { 수: 2, 면적: 3 } };
  assert.deepEqual(gridOfDocument(records, defaultFileLimits), {
    names: ['키', '수', '면적'],
    rows: labelled,
  });
  const split = { index: ['가', '나'], columns: names, data: rows };
  assert.deepEqual(gridOfDocument(split, defaultFileLimits), {
    names: ['키', ...names],
    rows: [
      ['가', '가람구', 10],
      ['나', '나루구', null],
    ],
  });
});

const others: readonly (readonly [what: string, document: unknown])[] = [
  [
    'positions of a line',
    {
      type: 'LineString',
      coordinates: [
        [127, 37],
        [128, 38],
      ],
    },
  ],
  ['one record with two lists', { 이름: '가람', 태그: ['a', 'b'], 번호: ['1', '2'] }],
  ['the parts of a response', { header: { code: '00', message: '' }, body: { count: 0 } }],
  ['one record of records', { 서울: { 인구: 1 } }],
  ['a list of values', [1, 2]],
];

for (const [what, document] of others) {
  test(`no table is found in ${what}`, () => {
    assert.equal(gridOfDocument(document, defaultFileLimits), null);
  });
}

test('rows as arrays have the names that a list of objects gives to their columns', () => {
  const columns = names.map((name, id) => ({ id, name }));
  for (const document of [
    { meta: { view: { columns } }, data: rows },
    { columns: names.map((title) => ({ title, data: 'a' })), rows },
  ]) {
    assert.deepEqual(gridOfNamedColumns(document), { names, rows });
  }
  assert.equal(gridOfNamedColumns({ columns: columns.slice(1), data: rows }), null);
  assert.equal(gridOfNamedColumns({ columns: [{}, {}], data: rows }), null);
});
