import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryQuota, createUnlimitedQuota } from './quota.ts';

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

test('an unlimited quota counts requests, and resets a count at its limit', async () => {
  const quota = createMemoryQuota();
  const unlimited = createUnlimitedQuota(quota);
  const day = '2026-11-21';
  void quota.exhaust('a', day);
  assert.equal(await unlimited.take('a', day, 2), true);
  assert.equal(quota.used('a', day), 1);
  assert.equal(await unlimited.take('a', day, 2), true);
  assert.equal(await unlimited.take('a', day, 2), true);
  assert.equal(quota.used('a', day), 1);
  // The upstream's own refusal counts for later commands.
  await unlimited.exhaust('a', day);
  assert.equal(quota.take('a', day, 2), false);
});
