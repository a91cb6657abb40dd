import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backoffMs, retryAfterMs } from './backoff.ts';

test('a backoff stays below its bound, which doubles up to a maximum', () => {
  const limits = { backoffMs: 500, backoffMsMax: 30_000 };
  const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), random, (attempt, value) => {
      const wait = backoffMs(attempt, () => value, limits);
      assert.ok(wait >= 0 && wait < Math.min(500 * 2 ** (attempt - 1), 30_000));
    }),
  );
});

test('Retry-After is read as seconds or as a date; an invalid one is null', () => {
  const now = Date.parse('2026-11-21T03:30:00Z');
  assert.equal(retryAfterMs('120', null, now), 120_000);
  assert.equal(retryAfterMs('Sat, 21 Nov 2026 03:31:00 GMT', null, now), 60_000);
  assert.equal(retryAfterMs('Sat, 21 Nov 2026 03:31:00 GMT', 'no date', now), 60_000);
  assert.equal(retryAfterMs('Sat, 21 Nov 2026 03:00:00 GMT', null, now), 0);
  for (const nonsense of [null, '', 'soon', '-1', '1.5', '99999999999', 'Sat, nonsense']) {
    assert.equal(retryAfterMs(nonsense, 'Sat, 21 Nov 2026 03:31:00 GMT', now), null);
  }
});

test('a date in Retry-After is measured from the response’s own date, however wrong that clock', () => {
  const seconds = fc.integer({ min: 0, max: 86_400 });
  const moments = fc.integer({ min: 0, max: 4_000_000_000 }).map((second) => second * 1_000);
  fc.assert(
    fc.property(moments, moments, seconds, (theirs, ours, wait) => {
      const date = new Date(theirs).toUTCString();
      const until = new Date(theirs + wait * 1_000).toUTCString();
      assert.equal(retryAfterMs(until, date, ours), wait * 1_000);
    }),
  );
});
