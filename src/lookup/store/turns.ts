import { setImmediate } from 'node:timers/promises';

/**
 * Runs work in steps without blocking others: short work ends at once; long work goes on in slices with requests
 * in between, one such work at a time.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    const begun = slice(steps);
    if (begun.done === true) return begun.value;
    const ended = this.#last.then(() => finish(steps));
    this.#last = ended.catch(() => undefined);
    return ended;
  }
}

async function finish<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await setImmediate();
    const step = slice(steps);
    if (step.done === true) return step.value;
  }
}

/** At least one step, and more while the slice lasts. */
function slice<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const until = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() > until) return step;
  }
}

/** Time that another request may have to wait. */
const sliceMs = 5;
