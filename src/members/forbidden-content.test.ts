import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findForbidden } from './forbidden-content.ts';

const now = Date.parse('2026-11-21T00:00:00Z');

test('T21: card and resident registration numbers are found anywhere in a value', () => {
  const cards = [
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111–1111–1111–1111',
    '４１１１１１１１１１１１１１１１',
    'card: 5555555555554444, exp 12/30',
    '5555 5555 5555 4444 12 30',
    '378282246310005',
    '6011111111111117',
    '3530111333300000',
    4111111111111111,
    { deep: [{ list: ['x', '4012888888881881'] }] },
    { '4111111111111111': true },
  ];
  for (const value of cards)
    assert.equal(findForbidden(value, now), 'card_number', JSON.stringify(value));
  const residents = [
    '901010-1234567',
    '901010 - 1234567',
    '9010101234567',
    '주민번호 850315-2345678',
    '051231-3456789',
    '900101-5123456',
    9010101234567,
  ];
  for (const value of residents) {
    assert.equal(findForbidden(value, now), 'resident_registration_number', JSON.stringify(value));
  }
});

test('T21: ordinary numbers, times and barcodes are accepted', () => {
  const plain = [
    '4111111111111112',
    '1763694000000',
    now,
    now + 40 * 86_400_000,
    '8801234567893',
    '010-1234-5678',
    '2026-11-21T09:30:00+09:00',
    'order 20261121000123',
    '991332-1234567',
    '901010-9234567',
    '261231-3456789',
    1234567.123456,
    true,
    null,
    { amount: 12_900, sku: 'A-1203', tags: ['a', 'b'] },
  ];
  for (const value of plain) assert.equal(findForbidden(value, now), null, JSON.stringify(value));
});
