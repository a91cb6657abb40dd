import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Failure } from './failure.ts';

/**
 * Threads that each do one task after another. A task and its result are plain data. A worker sends `{done}` or
 * `{failed}`, and `{rows}` while it works. A thread that dies fails its task only.
 */
export class WorkerPool<Task, Done> implements AsyncDisposable {
  readonly #workers: Worker[] = [];
  readonly #script: URL;
  #hasEnded = false;

  constructor(script: URL) {
    this.#script = script;
  }

  /** Runs all tasks, as many in parallel as there are processors. If a callback throws, no other task starts. */
  async run(
    tasks: readonly Task[],
    onRows: (rows: number) => void,
    onDone: (task: Task, outcome: Outcome<Done>) => void,
  ): Promise<void> {
    let next = 0;
    const threads = Math.min(tasks.length, Math.max(1, availableParallelism()));
    await Promise.all(
      Array.from({ length: threads }, async () => {
        let worker: Worker | null = null;
        for (let index = next++; index < tasks.length && !this.#hasEnded; index = next++) {
          worker ??= this.#start();
          const outcome: Outcome<Done> = await answerOf<Done>(worker, tasks[index], onRows);
          if (this.#hasEnded) return;
          if ('failed' in outcome && outcome.failed.isCrash) worker = null;
          onDone(tasks[index]!, outcome);
        }
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits });
    this.#workers.push(worker);
    return worker;
  }
}

export type Outcome<Done> = { readonly done: Done } | { readonly failed: Failure };

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
