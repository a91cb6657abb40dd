import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInTurns, runSteps } from './run-steps.ts';

test('work in turns begins after the next turn, and its result is that without a pause', async () => {
  const events: string[] = [];
  function* work(): Generator<void, number> {
    events.push('work');
    yield;
    return 7;
  }
  setImmediate(() => events.push('other turn'));
  assert.equal(await runInTurns(work()), 7);
  assert.deepEqual(events, ['other turn', 'work']);
  assert.equal(runSteps(work()), 7);
});

test('a step that takes longer than a turn lets another turn pass before the next step', async () => {
  const events: string[] = [];
  function* work(): Generator<void, void> {
    for (const step of [1, 2]) {
      setImmediate(() => events.push('other turn'));
      const endMs = performance.now() + 5;
      while (performance.now() < endMs);
      events.push(`step ${step}`);
      yield;
    }
  }
  await runInTurns(work());
  assert.deepEqual(events.slice(0, 3), ['step 1', 'other turn', 'step 2']);
});
