import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import type { Warning } from '../contract/route.ts';
import type { Field } from '../data/axis.ts';
import { explainFilters } from './foreign-filters.ts';
import { AxisColumns } from './where/columns.ts';

const columns = new AxisColumns({
  fields: ['주차장명', '주차구획수', 'order_no', '총액(원)'].map(
    (name) => ({ name, label: `${name} 이름`, type: 'string', labelSource: 'header' }) as Field,
  ),
});

for (const [name, value, advice] of [
  ['주차구획수', '100', { where: '주차구획수 = 100' }],
  ['주차구획수 이름', '100', { where: '주차구획수 = 100' }],
  ['주차구획수__gt', '100', { where: '주차구획수 > 100' }],
  ['order_no__in', '1,2', { where: 'order_no in (1, 2)' }],
  ['주차장명__icontains', '공원 앞', { where: "주차장명 like '%공원 앞%'" }],
  ['주차장명__isnull', 'false', { where: '주차장명 is not null' }],
  ['where[주차구획수]', '100', { where: '주차구획수 = 100' }],
  ['where[주차구획수][gte]', '100', { where: '주차구획수 >= 100' }],
  ['filters[주차장명][$contains]', '공원', { where: '주차장명 like %공원%' }],
  ['filter[총액(원)]', '5', { where: '"총액(원)" = 5' }],
  ['cond[주차장명::EQ]', '공영', { where: '주차장명 = 공영' }],
  ['cond[주차구획수::GTE]', '3', { where: '주차구획수 >= 3' }],
  ['$where', '주차구획수 > 100', { where: '주차구획수 > 100' }],
  [
    'filters',
    '{"주차장명":"공영","주차구획수":[1,2]}',
    { where: '주차장명 = 공영 and 주차구획수 in (1, 2)' },
  ],
  ['refine', '주차장명:"공영"', { where: '주차장명 = 공영' }],
  ['주차구획수', 'gte.5', { where: '주차구획수 >= 5' }],
  ['주차구획수[gt]', '5', { where: '주차구획수 > 5' }],
  ['order_by', '주차구획수 desc, 주차장명', { sort: '-주차구획수,주차장명' }],
  ['_sort', '-주차구획수', { sort: '-주차구획수' }],
  ['$order', '총액(원)', { sort: '"총액(원)"' }],
  ['where[없는필드]', '1', {}],
] as const) {
  test(`the parameter ${name}=${value} of another dialect is explained`, () => {
    assert.deepEqual(explained(name, value), {
      code: 'filter_ignored',
      parameter: name,
      ...advice,
    });
  });
}

for (const name of ['page', 'numOfRows', 'limt', 'foo__bar', 'key']) {
  test(`the parameter ${name} is not read as a filter`, () => {
    assert.equal(explained(name, '1')?.code, 'unknown_parameter');
  });
}

test('any parameter is explained or not, and the advice is short', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 30 }), anyText({ maxLength: 600 }), (name, value) => {
      assert.ok(JSON.stringify(explained(name, value)).length < 4_000);
    }),
  );
});

test('an order with a run of a million signs before another word is read in linear time', () => {
  assert.equal(explained('order', `주차구획수${'.'.repeat(1_000_000)}x`)?.sort, undefined);
});

function explained(name: string, value: string): Warning | undefined {
  const warnings: Warning[] = [{ code: 'unknown_parameter', parameter: name }];
  explainFilters({ unknown: [{ name, shownName: name, value }], warnings }, columns);
  return warnings[0];
}

test('a parameter with a name of a million underscores is no filter', () => {
  const warning: Warning = { code: 'unknown_parameter', parameter: '_' };
  const warnings = [warning];
  const unknown = [{ shownName: '_', name: `${'_'.repeat(1e6)}!`, value: '1' }];
  explainFilters({ unknown, warnings }, columns);
  assert.deepEqual(warnings, [warning]);
});
