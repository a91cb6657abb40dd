import { setImmediate } from 'node:timers/promises';

/**
 * Runs work that comes in steps so that it never holds up others: what ends soon ends at once; the rest goes on in
 * slices with other requests between them, one such work after another.
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

/** What another request may have to wait at a time. */
const sliceMs = 5;
