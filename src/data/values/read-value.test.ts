import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { isExactTime } from './moment.ts';
import { readNumber, type ValueFormat } from './read-value.ts';
import { readWrittenDate } from './written-date.ts';
import { readWrittenNumber } from './written-number.ts';

const number: ValueFormat = { type: 'number' };
const account: ValueFormat = { type: 'number', signs: 'accounting' };

function assertRead(format: ValueFormat, expected: Readonly<Record<string, number>>): void {
  for (const [text, value] of Object.entries(expected)) {
    assert.equal(readNumber(format, text), value, text);
  }
}

test('accounting signs mean minus only in a column whose field has them', () => {
  assertRead(account, {
    '△12': -12,
    '▲ 1,234.5': -1234.5,
    '(12)': -12,
    '( 1,234 )': -1234,
    '△0': 0,
    '50-': -50,
    '１，２３４': 1234,
    '−3': -3,
    '1,234': 1234,
    '▼3': NaN,
    '▽3': NaN,
    '△-3': NaN,
    '(주)': NaN,
    '(12': NaN,
    '△': NaN,
  });
  assertRead(number, { '△12': NaN, '▲12': NaN, '(12)': NaN, '−12': -12 });
});

test('a month in figures is its first day in a column of dates, and files keep its text', () => {
  const months = ['201804', '2018.04', '2018-04', '2018/4', '2018. 4.', '2018년 4월'];
  assertRead({ type: 'date' }, Object.fromEntries(months.map((text) => [text, 2018_04_01])));
  assertRead({ type: 'datetime' }, { 201804: 2018_04_01_000_000, '2018-13': NaN });
  assertRead(number, { 201804: 201_804, '2018.04': 2018.04, '2018-04': NaN });
  for (const text of months) assert.equal(isExactTime('date', text), false, text);
  for (const text of ['20180401', '2018.4.1', '2018-04-01']) {
    assert.equal(isExactTime('date', text), true, text);
  }
});

test('a unit is read only in a column of the unit', () => {
  assertRead(
    { type: 'number', unit: '%' },
    { '12.5%': 12.5, '-3.0%p': NaN, '12.5 ％': 12.5, '12.5': 12.5 },
  );
  assertRead({ type: 'number', unit: '㎡' }, { '15㎡': 15, '15 m²': 15, '1,234.5m2': 1234.5 });
  assertRead({ type: 'integer', unit: 'km' }, { '30 km': 30, '30㎞': 30, '30m': NaN, km: NaN });
  assertRead({ ...account, unit: '%' }, { '△1.5%': -1.5 });
  assertRead(number, { '15㎡': NaN, '3호': NaN, '1종': NaN });
});

test('in a column with decimal commas, and only there, a comma precedes the decimals', () => {
  assertRead(
    { type: 'number', signs: 'commas' },
    { '3,5': 3.5, '-0,301': -0.301, '14,375': 14.375, '1 234,5': 1234.5, '7': 7, '1,2,3': NaN },
  );
  assertRead(number, { '3,5': NaN, '0,301': NaN, '14,375': 14_375 });
});

test('blanks between thousands are read only in a column whose field has them', () => {
  const blanks: ValueFormat = { type: 'integer', signs: 'blanks' };
  assertRead(blanks, { '1 234 567': 1_234_567, '-12\u00a0345': -12_345, '150 152': 150_152 });
  assertRead(blanks, { '12 34': NaN, '02 123 456': NaN, '3,5': NaN });
  assertRead({ type: 'integer' }, { '1 234 567': NaN });
});

test('a letter after a number is a unit only in a column with that unit', () => {
  assertRead({ type: 'integer', unit: 'p' }, { '51,325p': 51_325, '120 p': 120, '3A': NaN });
  assertRead({ type: 'integer' }, { '51,325p': NaN, '3월': NaN });
});

test('amounts with 억, 만 or 천 are numbers, and a column of 원 converts other units of money', () => {
  assertRead(number, {
    '1억 2천': 120_000_000,
    '1억2천만': 120_000_000,
    '3만': 30_000,
    '2천5백만': 25_000_000,
    '1조 2,000억': 1.2e12,
    '1만 2,345': 12_345,
    '1억 500': NaN,
    만: NaN,
    '1만 2만': NaN,
  });
  assertRead(
    { type: 'integer', unit: '원' },
    {
      '3만 5천원': 35_000,
      '3만5,000원': 35_000,
      '1,234원': 1234,
      '₩1,234': 1234,
      '5천원': 5000,
      '3만원': 30_000,
      '1.5억원': 150_000_000,
      $5: NaN,
    },
  );
  assertRead({ type: 'number', unit: '천원' }, { '1,234천원': 1234, '5원': NaN });
  assertRead({ type: 'integer', unit: '명' }, { '12만명': 120_000, '3천 명': 3000 });
});

test('written dates such as 2024년 3월 5일 are days; a month or a quarter is its first day', () => {
  assertRead(
    { type: 'date' },
    {
      '2024.1분기': 2024_01_01,
      '2024년 3분기': 2024_07_01,
      '2024년 4/4분기': 2024_10_01,
      '2024.3/4': 2024_07_01,
      '2024/3/4': 2024_03_04,
      '2024Q2': 2024_04_01,
      '2024년 하반기': 2024_07_01,
      '2024년 3월': 2024_03_01,
      "'24.3.5": 2024_03_05,
      '’98. 12. 31.': 1998_12_31,
      '2024년 3월 5일': 2024_03_05,
      '2024-03-05(화)': 2024_03_05,
      '2024년 5분기': NaN,
      '2024년 13월': NaN,
      '2024년 2월 30일': NaN,
      "'24": NaN,
      '24.3.5': 2024_03_05,
      '24.3.5.1': NaN,
      '05-MAR-24': 2024_03_05,
      '31-Dec-1998': 1998_12_31,
      '05-3월 -24': 2024_03_05,
      '30-FEB-24': NaN,
      '05-MAY-24-1': NaN,
    },
  );
  assertRead(
    { type: 'datetime' },
    {
      '2024-03-05 오후 2:30': 2024_03_05_14_30_00,
      '2024. 3. 5. 오전 12:05:09': 2024_03_05_00_05_09,
      '2024년 3월 5일 14시 30분': 2024_03_05_14_30_00,
      '2024년 3월 5일': 2024_03_05_00_00_00,
      '2024-03-05 오후 2:61': NaN,
    },
  );
});

test('an amount written with 억 and 만 is read as its number', () => {
  const part = fc.integer({ min: 0, max: 9999 });
  fc.assert(
    fc.property(part, part, part, (eok, man, one) => {
      const value = eok * 1e8 + man * 1e4 + one;
      const pieces = [
        eok > 0 ? `${eok}억` : '',
        eok > 0 || man > 0 ? `${man}만` : '',
        one > 0 ? String(one) : '',
      ];
      const text = pieces.filter((piece) => piece !== '').join(' ');
      fc.pre(/[억만]/.test(text));
      assert.equal(readNumber(number, text), value, text);
    }),
  );
});

test('reading any text as a written number or date throws nothing and gives no NaN', () => {
  const near = fc.stringMatching(/^[△▲(]?[\d조억만천,. ]{1,12}(?:원|㎡|%|월|분기)?\)?$/);
  fc.assert(
    fc.property(fc.oneof(anyText(), near), (text) => {
      assert.ok(Number.isFinite(readWrittenNumber(text)?.value ?? 0));
      assert.ok(Number.isFinite(readWrittenDate(text)?.value ?? 0));
    }),
  );
});
