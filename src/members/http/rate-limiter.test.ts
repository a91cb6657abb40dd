import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateHeaders, RateLimiter } from './rate-limiter.ts';

const limit = { name: 'calls', calls: 10, windowS: 60 };

test('calls up to the limit pass at once, the next is refused until the window allows it', () => {
  let now = 0;
  const limiter = new RateLimiter(1, () => now);
  for (let left = 9; left >= 0; left--) {
    const verdict = limiter.take(limit, 'a');
    assert.equal(verdict.allowed, true);
    assert.equal(verdict.remaining, left);
  }
  const refused = limiter.take(limit, 'a');
  assert.equal(refused.allowed, false);
  assert.equal(refused.retryAfterS, 6);
  assert.equal(limiter.take(limit, 'b').allowed, true);
  now = 5_000;
  assert.equal(limiter.take(limit, 'a').allowed, false);
  now = 6_000;
  assert.equal(limiter.take(limit, 'a').allowed, true);
  assert.equal(limiter.take(limit, 'a').allowed, false);
});

test('peeking does not count, a scale multiplies the limit, and 0 lifts it', () => {
  const scaled = new RateLimiter(2, () => 0);
  for (let i = 0; i < 100; i++) assert.equal(scaled.peek(limit, 'a').remaining, 19);
  const lifted = new RateLimiter(0, () => 0);
  for (let i = 0; i < 100; i++) assert.equal(lifted.take(limit, 'a').allowed, true);
  assert.deepEqual(rateHeaders(lifted.take(limit, 'a')), {});
});

test('processes that share the calls admit no more together than the limit, and one each', () => {
  const admitted = (processes: number) => {
    const limiters = Array.from(
      { length: processes },
      () => new RateLimiter(1 / processes, () => 0),
    );
    const verdicts = Array.from({ length: 100 }, (_, at) =>
      limiters[at % processes]!.take(limit, 'a'),
    );
    return verdicts.filter(({ allowed }) => allowed).length;
  };
  assert.equal(admitted(3), 9);
  assert.equal(admitted(10), 10);
  assert.equal(admitted(12), 12);
  const third = new RateLimiter(1 / 3, () => 0).take(limit, 'a');
  assert.equal(rateHeaders(third)['RateLimit-Policy'], '"calls";q=3;w=60');
});

test('the headers contain the limit, the remaining calls and the time to retry', () => {
  const limiter = new RateLimiter(1, () => 0);
  const first = rateHeaders(limiter.take(limit, 'a'));
  assert.deepEqual(first, {
    'RateLimit-Policy': '"calls";q=10;w=60',
    RateLimit: '"calls";r=9;t=0',
  });
  for (let i = 0; i < 9; i++) limiter.take(limit, 'a');
  assert.equal(rateHeaders(limiter.take(limit, 'a'))['Retry-After'], '6');
});
