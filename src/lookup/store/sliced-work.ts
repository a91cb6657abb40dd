import { setImmediate } from 'node:timers/promises';

/**
 * Runs work in steps that must not block requests. Short work ends at once. Long work goes on in slices, with
 * requests in between and one work at a time.
 */
export class SlicedWork {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    const firstSlice = runSlice(steps);
    if (firstSlice.done === true) return firstSlice.value;
    const result = this.#last.then(() => finish(steps));
    this.#last = result.catch(() => undefined);
    return result;
  }
}

async function finish<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await setImmediate();
    const step = runSlice(steps);
    if (step.done === true) return step.value;
  }
}

/** Runs one step, and more until the slice is over. */
function runSlice<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const endMs = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() > endMs) return step;
  }
}

/** Longest wait of another request, unless one step takes longer. */
const sliceMs = 5;
