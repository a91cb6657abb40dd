import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs work to its end without a pause and returns its result. */
export function runSteps<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs work between other turns of the event loop, from the next one on. A turn takes 3 ms or one step. */
export async function runInTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await nextTurn();
    const endMs = performance.now() + turnMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < endMs);
  }
}

const turnMs = 3;
