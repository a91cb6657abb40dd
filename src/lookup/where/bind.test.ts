import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../data/axis.ts';
import { Problem } from '../../kernel/problem.ts';
import { bindWhere } from './bind.ts';
import { AxisColumns } from './columns.ts';
import { parseWhere } from './parse.ts';

const columns = new AxisColumns({
  fields: [
    field('prkplceNm', '주차장명', 'string'),
    field('prkcmprt', '주차구획수', 'integer'),
    field('개설일자', '개설 일자', 'date'),
    field('tel1', '전화번호', 'string'),
    field('tel2', '전화번호', 'string'),
    field('free', '무료', 'boolean'),
    field('label', 'prkplceNm', 'string'),
  ],
});

for (const [given, condition] of [
  ['prkcmprt > 100', { kind: 'compare', column: 'prkcmprt', operator: '>', value: '100' }],
  ['주차구획수 > 15,293', { kind: 'compare', column: 'prkcmprt', operator: '>', value: '15,293' }],
  ['PRKPLCENM = x', { kind: 'compare', column: 'prkplceNm', operator: '=', value: 'x' }],
  [
    '개설일자 >= 2024-06',
    { kind: 'compare', column: '개설일자', operator: '>=', value: '2024-06' },
  ],
  ['"개설 일자" = 2024', { kind: 'compare', column: '개설일자', operator: '=', value: '2024' }],
  ['주차구획수 = 모름', { kind: 'compare', column: 'prkcmprt', operator: '=', value: '모름' }],
  ['_sido = 서울', { kind: 'compare', column: '_sido', operator: '=', value: '11' }],
  [
    "_sigungu = '서울 종로구'",
    { kind: 'compare', column: '_sigungu', operator: '=', value: '11110' },
  ],
  ['_sigungu = 11110', { kind: 'compare', column: '_sigungu', operator: '=', value: '11110' }],
  ['_sido in (서울, 26)', { kind: 'in', column: '_sido', values: ['11', '26'], isNegated: false }],
  ['_total = TRUE', { kind: 'compare', column: '_total', operator: '=', value: 'true' }],
] as const) {
  test(`the condition ${given} is bound to its column`, () => {
    assert.deepEqual(bound(given), condition);
  });
}

test('the name of a city stands for its districts, a name of several sigungu for all of them', () => {
  const suwon = bound('_sigungu = 수원시') as { values: string[] };
  assert.ok(suwon.values.includes('41110') && suwon.values.includes('41111'));
  const jung = bound('_sigungu <> 중구') as { values: string[]; isNegated: boolean };
  assert.equal(jung.isNegated, true);
  assert.ok(jung.values.includes('11140') && jung.values.includes('26110'));
});

for (const [given, position, suggestion] of [
  ['주차구획 > 1', 0, '주차구획수'],
  ['a = 1 or 전화번호 = 02', 0, undefined],
  ['전화번호 = 02', 0, 'tel1'],
  ['주차구획수 > 많음', 8, '100'],
  ['개설일자 between 2024 and 2024-13', 22, '2024-06-01'],
  ['무료 > true', 2, undefined],
  ['_sido like 서%', 5, undefined],
  ['_sido = 서을', 8, '서울특별시'],
  ['_total = 예', 9, 'true'],
] as const) {
  test(`the condition ${given} is refused at ${position}`, () => {
    assert.throws(
      () => bound(given),
      (error) => {
        assert.ok(error instanceof Problem && error.code === 'invalid_where', String(error));
        const fault = error.errors[0] as { position?: number; suggestions?: readonly string[] };
        assert.equal(fault.position, position);
        assert.equal(fault.suggestions?.[0], suggestion);
        return true;
      },
    );
  });
}

test('a former region is refused with its current parts if codes of today cannot select it', () => {
  assert.throws(
    () => bound('_sido = 광주광역시'),
    (error) =>
      error instanceof Problem && /전남광주통합특별시 북구/.test(JSON.stringify(error.errors)),
  );
});

function bound(text: string): unknown {
  const expression = parseWhere(text, { parameter: 'where', names: columns.texts });
  return bindWhere(expression, columns);
}

function field(name: string, label: string, type: Field['type']): Field {
  return { name, label, type, labelSource: 'header' } as Field;
}
