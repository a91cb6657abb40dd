import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readShape } from './shape.ts';
import { shapes, type Shape } from './shapes.ts';
import { anyText } from '../../../test/any-text.ts';

function shapeOf(text: string): string {
  const found: Shape = readShape(text, { value: 0 });
  return Object.entries(shapes).find(([, shape]) => shape === found)?.[0] ?? '';
}

test('readShape gives the listed shape for each spelling', () => {
  const expected = {
    integer: ['1', '-12', '+7', '1,234', '12,345,678', '9007199254740991', '2024130'],
    zero: ['0', '0.0', '-0', '+0.00'],
    padded: ['0430', '00', '-05', '007.5', '20'.padStart(9, '0')],
    beyond: ['9007199254740992', '12345678901234567890', '1.5E400'],
    decimal: ['3.14', '-37.5', '1,234.5', '.5', '2024.13', '1.0E-4', '-1.25e10'],
    latitude: ['37.5665', '33.0', '38.7'],
    longitude: ['126.9780', '131.87'],
    compactMonth: ['202410', '190001'],
    dottedMonth: ['2024.10', '2024.01'],
    compactDate: ['20240131', '20240229'],
    compactDateTime: ['20240131093000', '202401312400'],
    date: ['2024-01-31', '2024.1.31.', '2024. 1. 31.', '2024/1/31', '1391-02-05', '9999-12-31'],
    dateTime: [
      '2024-01-31 09:30',
      '2024-01-31T09:30:00.000+09:00',
      '2022-07-07 14:55:07.0',
      '2024/01/31 24:00',
    ],
    dateImpossible: ['2015-09-31', '2023-02-29', '2023-13-01', '2015-09-31 10:00'],
    compactImpossible: ['20241301', '99991332', '20230230120000', '202313010930'],
    dateZero: ['0000-00-00', '0000.00.00', '00000000'],
    logical: ['TRUE', 'false'],
    marker: [
      '-',
      '–',
      '--',
      'N/A',
      '해당없음',
      '(NULL)',
      'null',
      'NaN',
      'NA',
      'None',
      '[NULL]',
      '\\N',
    ],
    text: [
      'Y',
      'True',
      '없음',
      '1,23',
      '12,3456',
      '0,301',
      '1.',
      '1e5',
      '0x10',
      '12.5%',
      '+',
      '.',
      ',',
      '2024년 1월',
      '2024-01',
      '2024-01-31-2',
      '2024-01-31 오전 9:00',
      '09:00~18:00',
      'Jan-01',
      '2024.1.31.5',
      '02-123-4567',
      '1,234,',
      '가',
      ' 1',
      '--1',
    ],
  };
  for (const [shape, texts] of Object.entries(expected)) {
    for (const text of texts) assert.equal(shapeOf(text), shape, text);
  }
});

test('a number has the value that JavaScript reads', () => {
  const digits = fc.integer({ min: 0, max: 999_999_999 }).map(String);
  const fraction = fc.option(fc.stringMatching(/^\d{1,12}$/), { nil: null });
  fc.assert(
    fc.property(fc.constantFrom('', '-', '+'), digits, fraction, (sign, whole, rest) => {
      const text = sign + whole + (rest === null ? '' : `.${rest}`);
      const reading = { value: 0 };
      const found = readShape(text, reading);
      if (found === shapes.zero) return;
      const isCompact = found === shapes.compactDate || found === shapes.compactImpossible;
      assert.ok(isCompact || (found >= shapes.integer && found <= shapes.longitude), text);
      assert.equal(reading.value, Number(text), text);
    }),
  );
});

test('any text is read without an exception', () => {
  fc.assert(
    fc.property(anyText(), fc.stringMatching(/^[-\d.,/: TZ+]*$/), (any, near) => {
      for (const text of [any, near]) assert.ok(readShape(text, { value: 0 }) >= 0);
    }),
  );
});
