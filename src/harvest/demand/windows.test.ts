import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ladderWindows, trendWindow } from './windows.ts';

test('the window is the last twelve whole months in Korea', () => {
  assert.deepEqual(trendWindow(Date.parse('2026-11-21T03:20:00Z')), {
    startDate: '2025-11-01',
    endDate: '2026-10-31',
    timeUnit: 'month',
  });
});

test('a month counts from its second day on, since the newest day is late', () => {
  assert.equal(endOf('2026-11-30T15:00:00Z'), '2026-10-31');
  assert.equal(endOf('2026-12-01T14:59:59Z'), '2026-10-31');
  assert.equal(endOf('2026-12-01T15:00:00Z'), '2026-11-30');
  assert.equal(endOf('2027-01-15T00:00:00Z'), '2026-12-31');
  assert.equal(endOf('2028-03-15T00:00:00Z'), '2028-02-29');
});

test('the ladder is measured in three windows that make up the same months', () => {
  const windows = ladderWindows(Date.parse('2026-11-21T03:20:00Z'));
  assert.deepEqual(
    windows.map(({ startDate, endDate }) => `${startDate} ${endDate}`),
    ['2025-11-01 2026-02-28', '2026-03-01 2026-06-30', '2026-07-01 2026-10-31'],
  );
});

function endOf(moment: string): string {
  return trendWindow(Date.parse(moment)).endDate;
}
