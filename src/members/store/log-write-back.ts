import { getCompileCacheDir } from 'node:module';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { isStorageFailure } from '../../kernel/storage-failure.ts';
import type { WriteBackStep } from './log-write-back-worker.ts';

/**
 * Writes the log back into the store on a thread of its own: 32 MB take 60 to 160 ms of processor and an fsync, which
 * would stop the event loop. The thread starts when the log is long for the first time.
 */
export class LogWriteBack {
  readonly #path: string;
  readonly #pagesMax: number;
  readonly #state: StatementSync;
  #worker: Worker | null = null;
  #isWorking = false;
  #checkedAt = 0;
  #remainder: PromiseWithResolvers<void> | null = null;

  constructor(database: DatabaseSync, path: string, pagesMax: number) {
    this.#path = path;
    this.#pagesMax = pagesMax;
    this.#state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /** Pending while writers must wait, because the thread writes what they appended during its first pass. */
  get remainder(): Promise<void> | null {
    return this.#remainder?.promise ?? null;
  }

  /** Starts the thread if the log is long. Reads its length at most each 20 ms. */
  startIfLong(): void {
    const now = performance.now();
    if (this.#isWorking || now - this.#checkedAt < checkEveryMs) return;
    this.#checkedAt = now;
    if (this.#unwrittenPages() < this.#pagesMax) return;
    this.#isWorking = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('write back');
  }

  #unwrittenPages(): number {
    try {
      // The columns of the pragma (https://sqlite.org/pragma.html#pragma_wal_checkpoint).
      const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
      return log - checkpointed;
    } catch (error) {
      // The commit itself has succeeded.
      if (isStorageFailure(error)) return 0;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const file = new URL('./log-write-back-worker.ts', import.meta.url);
    // Modules in the cache of compiled ones need no compiler: 15 MB instead of 26.
    const cache = getCompileCacheDir();
    const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
    const worker = new Worker(file, { workerData: this.#path, resourceLimits: heap, env });
    worker.unref();
    worker.on('message', (step: WriteBackStep) => {
      if (step === 'remainder') this.#remainder = Promise.withResolvers();
      else this.#settle();
    });
    // A later commit starts another one. Beyond `wal_autocheckpoint` commits write the log back themselves.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = null;
      this.#checkedAt = performance.now() + restartAfterMs;
      this.#settle();
    });
    return worker;
  }

  #settle(): void {
    this.#isWorking = false;
    this.#remainder?.resolve();
    this.#remainder = null;
  }
}

const checkEveryMs = 20;
const restartAfterMs = 1_000;
const heap = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };
