import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueBounds } from './value-bounds.ts';

for (const [type, text, first, last] of [
  ['integer', '15,293', 15_293, 15_293],
  ['number', '-0.50', -0.5, -0.5],
  ['number', '１２', 12, 12],
  ['boolean', 'True', 1, 1],
  ['date', '2024', 20_240_000, 20_249_999],
  ['date', '2024-06', 20_240_600, 20_240_699],
  ['date', '2024. 6', 20_240_600, 20_240_699],
  ['date', '202406', 20_240_600, 20_240_699],
  ['date', '2024-06-01', 20_240_601, 20_240_601],
  ['date', '20240601', 20_240_601, 20_240_601],
  ['date', '2024-06-01 10:30', 20_240_601, 20_240_601],
  ['datetime', '2024', 20_240_000_000_000, 20_249_999_999_999],
  ['datetime', '2024-06-01', 20_240_601_000_000, 20_240_601_999_999],
  ['datetime', '2024-06-01 09:30', 20_240_601_093_000, 20_240_601_093_099],
  ['datetime', '202406010930', 20_240_601_093_000, 20_240_601_093_099],
  ['datetime', '2024-06-01T09:30:15', 20_240_601_093_015, 20_240_601_093_015],
] as const) {
  test(`${text} compared with a column of type ${type} has the bounds ${first} and ${last}`, () => {
    assert.deepEqual(valueBounds({ type }, text), { first, last });
  });
}

for (const [type, text] of [
  ['integer', '많음'],
  ['number', '-'],
  ['boolean', 'Y'],
  ['date', '2024-13'],
  ['date', '2024-02-31'],
  ['date', '봄'],
  ['datetime', '25:00'],
] as const) {
  test(`${text} has no bounds in a column of type ${type}`, () => {
    assert.equal(valueBounds({ type }, text), null);
  });
}
