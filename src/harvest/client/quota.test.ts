import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryQuota } from './quota.ts';

test('the memory quota counts the newest day and deletes the counts of past days', () => {
  const quota = createMemoryQuota();
  assert.equal(quota.take('a', '2026-11-21', 1), true);
  assert.equal(quota.take('a', '2026-11-21', 1), false);
  assert.equal(quota.take('b', '2026-11-21', 1), true);
  assert.equal(quota.take('a', '2026-11-22', 1), true);
  assert.equal(quota.used('a', '2026-11-21'), 0);
  void quota.exhaust('b', '2026-11-22');
  assert.equal(quota.take('b', '2026-11-22', 1_000_000), false);
});
