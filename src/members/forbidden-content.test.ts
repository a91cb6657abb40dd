import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findForbidden, findForbiddenInEventId } from './forbidden-content.ts';

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
    '4111\u200b1111\u200b1111\u200b1111',
    '4111\u00ad1111\u2060111111\ufeff11',
    '٤١١١١١١١١١١١١١١١',
    '४१११ ११११ ११११ ११११',
    { card: ['4111', '1111', '1111', '1111'] },
    { card: ['3782', '822463', '10005'] },
    Array.from('4012888888881881'),
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
    ['901010', '1234567'],
    ['٩٠١٠١٠', '1234567'],
    Array.from('9010101234567'),
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
    { items: [40512, 12034, 998123] },
    { items: ['40512', '12034', '998123'] },
    { boxes: ['4111', '1111', '1111', '1112'] },
    '한국어 문장 속의 1234',
    { amount: 12_900, sku: 'A-1203', tags: ['a', 'b'] },
  ];
  for (const value of plain) assert.equal(findForbidden(value, now), null, JSON.stringify(value));
});

test('the date and number of an order are not a resident registration number', () => {
  // With a digit for the 1900s, or for no century, none of these is a date of birth in the last 99 years.
  for (const date of ['261120', '251201', '200229', '000101']) {
    for (const order of ['1234567', '2000000', '5000999', '6123456', '9123456', '0123456']) {
      for (const text of [`${date}-${order}`, `order-${date}${order}`, `ORD${date}${order}KR`]) {
        assert.equal(findForbidden({ order: text }, now), null, text);
        assert.equal(findForbiddenInEventId(text, now), null, text);
      }
    }
  }
  // Elsewhere than in an event id, it may be the number of a child born on that day.
  for (const order of ['3123456', '4829103', '7123456', '8123456']) {
    const text = `261120-${order}`;
    assert.equal(findForbidden(text, now), 'resident_registration_number', text);
    assert.equal(findForbiddenInEventId(text, now), null, text);
    assert.equal(findForbiddenInEventId(`order-251201${order}`, now), null);
    const earlier = `240229-${order}`;
    assert.equal(findForbiddenInEventId(earlier, now), 'resident_registration_number', earlier);
  }
  assert.equal(findForbiddenInEventId('851120-1234567', now), 'resident_registration_number');
  assert.equal(findForbiddenInEventId('271120-1234567', now), null);
  assert.equal(findForbiddenInEventId('281120-1234567', now), 'resident_registration_number');
  assert.equal(findForbiddenInEventId('4111-1111-1111-1111', now), 'card_number');
});

test('random identifiers are accepted with any digits, and numbers beside them are found', () => {
  const identifiers = [
    'e605fbca38318628455075b977d1a6cd',
    '85a92d77-e1f2-4077-8977-28212a81a801',
    'A4084309-4962-48A8-8FE2-E0A8D1F1A225',
    'evt_f1c55705-8771-4079-816a-93fbe4164759',
  ];
  for (const id of identifiers) {
    assert.equal(findForbidden({ [id]: `order ${id}.` }, now), null, id);
    assert.equal(findForbidden(`${id} 4111-1111-1111-1111`, now), 'card_number', id);
  }
  // An identifier of digits alone does not count as random.
  assert.equal(findForbidden('41111111-1111-1111-0000-000000000000', now), 'card_number');
});

test('the digits of every script are read by their value', () => {
  const zeros = [0x0660, 0x06f0, 0x0966, 0x0e50, 0x17e0, 0xff10, 0x1d7d8, 0x1e950, 0x1fbf0];
  for (const zero of zeros) {
    const written = Array.from('4111111111111111', (digit) =>
      String.fromCodePoint(zero + Number(digit)),
    );
    assert.equal(findForbidden(written.join(''), now), 'card_number', zero.toString(16));
  }
});
