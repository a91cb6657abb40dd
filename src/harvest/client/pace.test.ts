import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';

test('no second has more than twice the rate, and the excess is sent at even intervals', async () => {
  let now = 0;
  const sendTimes: number[] = [];
  const pace = createPace(10, {
    now: () => now,
    wait: (ms) => {
      sendTimes.push(now + ms);
      return Promise.resolve();
    },
  });
  const turns = Array.from({ length: 30 }, () => pace.waitForTurn());
  await Promise.all(turns);
  assert.deepEqual(
    sendTimes,
    Array.from({ length: 20 }, (_, at) => (at + 1) * 100),
  );
  now = 10_000;
  await pace.waitForTurn();
  assert.equal(sendTimes.length, 20);
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
  await pace.waitForTurn();
  now = 0;
  await pace.waitForTurn();
  assert.deepEqual(waits, []);
});
