import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../axis.ts';
import type { ValueFormat } from '../values/read-value.ts';
import type { CompareOperator } from './condition.ts';
import { havingTest } from './having.ts';

for (const [type, value, operator, text, isSelected] of [
  ['number', 30_000, '>=', '2만', true],
  ['number', 10_000, '>=', '2만', false],
  ['number', 15_293, '=', '15,293', true],
  ['date', '2024-06-15', '=', '2024-06', true],
  ['date', '2024-06-15', '<>', '2024-06', false],
  ['date', '2024-06-15', '>', '2024-06', false],
  ['date', '2024-07-01', '>', '2024-06', true],
  ['date', '2024-06-15', '<=', '2024', true],
  ['datetime', '2024-06-15T10:30:00', '=', '2024-06-15', true],
  ['string', '나', '>', '가', true],
] as const) {
  test(`having takes ${value} ${operator} ${text} for ${isSelected}`, () => {
    assert.equal(isTrue({ type }, value, operator, text), isSelected);
  });
}

function isTrue(
  format: ValueFormat,
  value: Value,
  operator: CompareOperator,
  text: string,
): boolean {
  const condition = { kind: 'compare', column: 'a', operator, value: text } as const;
  return havingTest(condition, () => format)(() => value);
}
