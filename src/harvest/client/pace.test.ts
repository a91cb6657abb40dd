import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';

test('no second has more than twice the rate, and waiting requests keep their order', async () => {
  let now = 0;
  const left: number[] = [];
  const pace = createPace(10, {
    now: () => now,
    wait: (ms) => {
      left.push(now + ms);
      return Promise.resolve();
    },
  });
  const turns = Array.from({ length: 30 }, () => pace.turn());
  await Promise.all(turns);
  assert.deepEqual(
    left,
    Array.from({ length: 20 }, (_, at) => (at + 1) * 100),
  );
  now = 10_000;
  await pace.turn();
  assert.equal(left.length, 20);
});

test('a clock that is set back by an hour makes no request wait', async () => {
  let now = 3_600_000;
  const waits: number[] = [];
  const pace = createPace(10, {
    now: () => now,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  await pace.turn();
  now = 0;
  await pace.turn();
  assert.deepEqual(waits, []);
});
