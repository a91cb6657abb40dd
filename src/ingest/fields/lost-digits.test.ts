import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFieldProfiler } from './profiler.ts';

function lostIn(name: string, values: readonly string[]): [count: number, example: string][] {
  const profiler = createFieldProfiler([name]);
  for (const value of values) profiler.add([value]);
  return profiler.lostDigits().map(({ count, examples }) => [count, examples[0]!.text]);
}

test('codes of 16 digits or more that end in zeros past the 15th have lost digits', () => {
  const codes = ['1168010100106770', '1168010100106780', '1168010100106770', '3'];
  assert.deepEqual(lostIn('관리번호', codes), [[3, '1168010100106770']]);
  assert.deepEqual(lostIn('관리번호', ['1234567890123460000']), [[1, '1234567890123460000']]);
  assert.deepEqual(lostIn('금액', ['1,234,567,890,123,450']), [[1, '1,234,567,890,123,450']]);
});

test('numbers as a spreadsheet shows them have lost digits', () => {
  assert.deepEqual(lostIn('코드', ['1.23E+18', '11']), [[1, '1.23E+18']]);
  assert.deepEqual(lostIn('코드', ['1.16801E+18', '1.16801E+18']), [[2, '1.16801E+18']]);
});

test('exact codes, round amounts, measures and padded codes have lost none', () => {
  const amounts = ['1500000000000000', '2000000000000000', '33000000000000000'];
  for (const values of [
    ['1168010100106770', '1168010100106771'],
    amounts,
    ['1.5E+03', '2.25E-18', '1.234567E+18'],
    ['0001234567890120', '123456789012345', '127.0000000000000'],
  ]) {
    assert.deepEqual(lostIn('값', values), [], values.join());
  }
});

test('the number that Excel makes of any code with a digit past the 15th has lost digits', () => {
  const code = fc.stringMatching(/^[1-9]\d{11}[1-9]\d{2}\d{1,5}$/);
  fc.assert(
    fc.property(fc.uniqueArray(code, { minLength: 1, maxLength: 20 }), (codes) => {
      const stored = codes.map((each) => each.slice(0, 15) + '0'.repeat(each.length - 15));
      assert.equal(lostIn('번호', stored)[0]?.[0], stored.length);
      const exact = codes.filter((each) => /[1-9]/.test(each.slice(15)));
      assert.deepEqual(lostIn('번호', exact.length > 0 ? codes : []), []);
    }),
  );
});
