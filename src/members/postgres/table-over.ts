import type { Runner } from './part.ts';

/** Makes tables of the same methods over different runners: a part of a transaction makes no functions. */
export function tableOver<Table extends object>(
  methods: Table & ThisType<RunnerTable>,
): (runner: Runner) => Table {
  class TableOver implements RunnerTable {
    readonly runner: Runner;
    constructor(runner: Runner) {
      this.runner = runner;
    }
  }
  Object.assign(TableOver.prototype, methods);
  // The prototype has the methods.
  return (runner) => new TableOver(runner) as unknown as Table;
}

interface RunnerTable {
  readonly runner: Runner;
}
