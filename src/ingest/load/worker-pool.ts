import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { crashOf, type Failure } from './failure.ts';

/**
 * Pool of worker threads; each thread runs one task at a time. Tasks and results are plain data. A thread sends
 * `{rows}` as progress, and `{done}` or `{failed}` at the end. If a thread dies, only its task fails.
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
          const outcome: Outcome<Done> = await runTask<Done>(worker, tasks[index], onRows);
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
    // A thread uses the cache of compiled modules only with this variable: a quarter of a second.
    const cache = getCompileCacheDir();
    const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
    const worker = new Worker(this.#script, { resourceLimits, env });
    this.#workers.push(worker);
    return worker;
  }
}

export type Outcome<Done> = { readonly done: Done } | { readonly failed: Failure };

function runTask<Done>(
  worker: Worker,
  task: unknown,
  onRows: (rows: number) => void,
): Promise<Outcome<Done>> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<Done>): void => {
      worker.off('message', onMessage);
      worker.off('error', onCrash);
      worker.off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: { rows: number } | Outcome<Done>): void => {
      if ('rows' in message) onRows(message.rows);
      else settle(message);
    };
    const onCrash = (error: Error): void => settle({ failed: crashOf(error) });
    const onExit = (): void => onCrash(new Error('The thread ended before its task did.'));
    worker.on('message', onMessage);
    worker.on('error', onCrash);
    worker.on('exit', onExit);
    worker.postMessage(task);
  });
}

/** Rows are short-lived: a small young generation saves 200 MB for two threads at the same speed. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };
