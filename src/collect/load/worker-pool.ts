import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Threads that each do one task after another. A task and its answer are plain data; a worker answers
 * `{done}` or `{failed}` and may send `{rows}` on the way. A thread that dies fails its task only.
 */
export class WorkerPool<Task, Done> implements AsyncDisposable {
  readonly #workers: Worker[] = [];
  readonly #script: URL;

  constructor(script: URL) {
    this.#script = script;
  }

  /** Does all tasks, as many at a time as there are processors; the outcomes come in the order of the tasks. */
  async run(
    tasks: readonly Task[],
    onRows: (task: Task, rows: number) => void,
    onDone: (task: Task, outcome: Outcome<Done>) => void,
  ): Promise<Outcome<Done>[]> {
    const outcomes: Outcome<Done>[] = [];
    let next = 0;
    const threads = Math.min(tasks.length, Math.max(1, availableParallelism()));
    await Promise.all(
      Array.from({ length: threads }, async () => {
        let worker: Worker | null = null;
        for (let at = next++; at < tasks.length; at = next++) {
          worker ??= this.#start();
          const outcome = await answerOf<Done>(worker, tasks[at], (rows) =>
            onRows(tasks[at]!, rows),
          );
          if ('failed' in outcome && outcome.failed.isCrash) worker = null;
          outcomes[at] = outcome;
          onDone(tasks[at]!, outcome);
        }
      }),
    );
    return outcomes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits });
    this.#workers.push(worker);
    return worker;
  }
}

export type Outcome<Done> = { readonly done: Done } | { readonly failed: Failure };

export interface Failure {
  /** A stable code of a refusal; `internal` when it is our fault. */
  readonly code: string;
  readonly message: string;
  readonly isCrash: boolean;
}

function answerOf<Done>(
  worker: Worker,
  task: unknown,
  onRows: (rows: number) => void,
): Promise<Outcome<Done>> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<Done>): void => {
      worker.off('message', hear);
      worker.off('error', crash);
      worker.off('exit', exit);
      resolve(outcome);
    };
    const hear = (message: { rows: number } | Outcome<Done>): void => {
      if ('rows' in message) onRows(message.rows);
      else settle(message);
    };
    const crash = (error: Error): void =>
      settle({ failed: { code: 'internal', message: error.message, isCrash: true } });
    const exit = (): void => crash(new Error('The thread ended before its task did.'));
    worker.on('message', hear);
    worker.on('error', crash);
    worker.on('exit', exit);
    worker.postMessage(task);
  });
}

/** Rows live for a moment: a small nursery keeps two threads 200 MB below the default, at the same pace. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };
