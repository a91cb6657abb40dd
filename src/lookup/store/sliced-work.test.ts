import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { Problem } from '../../kernel/problem.ts';
import { SlicedWork } from './sliced-work.ts';

test('work never runs in the event in which it arrives, and short work ends in its first turn', async () => {
  const order: string[] = [];
  const short = new SlicedWork().run(counting(3, () => order.push('step')));
  order.push('returned');
  assert.equal(await short, 3);
  assert.deepEqual(order, ['returned', 'step', 'step', 'step']);
});

test('other callbacks run between the slices of long work and after each short one', async () => {
  const work = new SlicedWork();
  let others = 0;
  let isOver = false;
  const other = (): void => {
    others++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await Promise.all([
    work.run(counting(4, outlastSlice)),
    ...Array.from({ length: 5 }, () => work.run(counting(1, () => undefined))),
  ]);
  isOver = true;
  assert.ok(others >= 8, `others ran ${others} times`);
});

test('short work that arrives later ends before long work, and long work goes on meanwhile', async () => {
  const work = new SlicedWork();
  const order: string[] = [];
  const long = work.run(counting(6, outlastSlice)).then(() => order.push('long'));
  await nextTurn();
  const arriving = Array.from({ length: 20 }, (_, at) =>
    work.run(counting(1, () => undefined)).then(() => order.push(`short ${at}`)),
  );
  await Promise.all([long, ...arriving]);
  assert.equal(order[0], 'short 0');
  assert.ok(order.indexOf('long') > 2 && order.indexOf('long') < 19, order.join(', '));
});

test('abandoned work is dropped at its next turn and rejected as aborted', async () => {
  const work = new SlicedWork();
  let steps = 0;
  const isAbandoned = (): boolean => steps === 2;
  const abandoned = work.run(
    counting(9, () => {
      steps++;
      outlastSlice();
    }),
    isAbandoned,
  );
  await assert.rejects(abandoned, { name: 'AbortError' });
  assert.equal(steps, 2);
});

test('work past the bound is refused with a time to retry, and the waiting work still ends', async () => {
  const work = new SlicedWork(2);
  const waiting = [1, 2].map((steps) => work.run(counting(steps, outlastSlice)));
  assert.throws(
    () => work.run(counting(1, outlastSlice)),
    (error) => error instanceof Problem && error.code === 'overloaded' && error.retryAfterS === 2,
  );
  assert.deepEqual(await Promise.all(waiting), [1, 2]);
  assert.equal(await work.run(counting(3, outlastSlice)), 3);
});

test('work that fails rejects its own promise only', async () => {
  const work = new SlicedWork();
  const failing = work.run(
    counting(3, (step) => {
      outlastSlice();
      if (step === 2) throw new Error('no text');
    }),
  );
  const next = work.run(counting(2, outlastSlice));
  await assert.rejects(failing, /no text/);
  assert.equal(await next, 2);
});

function* counting(steps: number, work: (step: number) => void): Generator<void, number> {
  for (let step = 1; step <= steps; step++) {
    work(step);
    yield;
  }
  return steps;
}

/** Takes longer than a slice. */
function outlastSlice(): void {
  const until = performance.now() + 4;
  while (performance.now() < until);
}
