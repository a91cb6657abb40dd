import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlicedWork } from './sliced-work.ts';

test('work that fits into one slice ends before anything else runs', async () => {
  const order: string[] = [];
  const short = new SlicedWork().run(counting(3, () => order.push('step')));
  order.push('returned');
  assert.equal(await short, 3);
  assert.deepEqual(order, ['step', 'step', 'step', 'returned']);
});

test('long work lets other callbacks run in between and ends before the next long work', async () => {
  const work = new SlicedWork();
  const order: string[] = [];
  let others = 0;
  let isOver = false;
  const other = (): void => {
    others++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const first = work.run(counting(4, outlastSlice)).then(() => order.push('first'));
  const second = work.run(counting(2, outlastSlice)).then(() => order.push('second'));
  await Promise.all([first, second]);
  isOver = true;
  assert.deepEqual(order, ['first', 'second']);
  assert.ok(others >= 3, `others ran ${others} times`);
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
  const until = performance.now() + 8;
  while (performance.now() < until);
}
