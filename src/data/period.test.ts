import assert from 'node:assert/strict';
import test from 'node:test';
import type { Field, FieldRole, FieldType } from './axis.ts';
import { periodOf } from './period.ts';

type Range = readonly [min: string | number | null, max: string | number | null];

test('the period is taken from a base date, else from a date of events, else from a year', () => {
  const opened = field('개설일자', 'date', ['1959-08-27', '2022-04-05'], 'date');
  const base = field('데이터기준일자', 'date', ['2016-06-01', '2022-12-19']);
  const year = field('기준연도', 'integer', [2015, 2019]);
  const time = field('수집일시', 'datetime', ['2020-01-02T03:04:05', '2020-02-03 04:05']);
  const table: readonly (readonly [fields: readonly Field[], period: string | null])[] = [
    [[opened, base], '데이터기준일자 2016-06-01 2022-12-19'],
    [[opened], '개설일자 1959-08-27 2022-04-05'],
    [[year], '기준연도 2015 2019'],
    [[time], '수집일시 2020-01-02 2020-02-03'],
    [[field('만료일자', 'date', ['2020-01-01', '2030-01-01'])], null],
    [[field('변경일자', 'date', ['2020-01-01', '9999-12-31'])], null],
    [[field('발생일자', 'date', [null, null])], null],
    [[field('건축연도', 'integer', [1970, 2020])], null],
    [[], null],
  ];
  for (const [fields, expected] of table) {
    const period = periodOf({ fields });
    const text = period && `${period.field.label} ${period.from} ${period.to}`;
    assert.equal(text, expected, fields.map(({ label }) => label).join());
  }
});

function field(
  label: string,
  type: FieldType,
  [min, max]: Range,
  role: FieldRole | null = null,
): Field {
  return {
    name: label,
    label,
    labelEn: null,
    labelSource: 'header',
    type,
    unit: null,
    role,
    searchable: false,
    stats: { nonNull: 9, distinct: 9, minLength: 1, maxLength: 9, min, max, examples: [] },
  };
}
