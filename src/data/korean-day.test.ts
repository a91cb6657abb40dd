import assert from 'node:assert/strict';
import test from 'node:test';
import { koreanDay } from './korean-day.ts';

test('a day in Korea begins at 15:00 of the day before in UTC', () => {
  assert.equal(koreanDay('2026-11-20T14:59:59Z'), '2026-11-20');
  assert.equal(koreanDay('2026-11-20T15:00:00Z'), '2026-11-21');
  assert.equal(koreanDay('2026-11-21T00:00:00+09:00'), '2026-11-21');
  assert.equal(koreanDay(Date.UTC(2026, 11, 31, 15)), '2027-01-01');
  assert.equal(koreanDay('2026-11-20'), '2026-11-20');
});
