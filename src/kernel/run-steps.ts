/** Runs work to its end without a pause and returns its result. */
export function runSteps<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
