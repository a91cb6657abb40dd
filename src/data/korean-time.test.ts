import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, koreanDay, koreanHour, nextKoreanMidnight } from './korean-time.ts';

test('a day in Korea begins at 15:00 UTC of the day before', () => {
  const before = Date.parse('2026-11-21T14:59:59.999Z');
  assert.equal(koreanDay(before), '2026-11-21');
  assert.equal(koreanDay(before + 1), '2026-11-22');
  assert.deepEqual([koreanHour(before), koreanHour(before + 1)], [23, 0]);
  assert.equal(nextKoreanMidnight(before), before + 1);
  assert.equal(nextKoreanMidnight(before + 1), before + 1 + dayMs);
});

test('milliseconds and date-times become the date in Korea, and a date, month or year stays', () => {
  assert.equal(koreanDay('2026-11-20T14:59:59Z'), '2026-11-20');
  assert.equal(koreanDay('2026-11-20T15:00:00Z'), '2026-11-21');
  assert.equal(koreanDay('2026-11-21T00:00:00+09:00'), '2026-11-21');
  assert.equal(koreanDay(Date.UTC(2026, 11, 31, 15)), '2027-01-01');
  for (const date of ['2026-11-20', '2026-11', '2026']) assert.equal(koreanDay(date), date);
});
