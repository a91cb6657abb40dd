import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../kernel/problem.ts';
import type { LogWriteBack } from './log-write-back.ts';
import type { PreparedSql } from './prepared-sql.ts';
import { isBusy, isStorageFailure, storageUnavailable } from '../../kernel/storage-failure.ts';

/**
 * One fsync for all work that arrives in a turn of the event loop: it runs piece by piece in one transaction, and every
 * result, refusals included, waits for the commit, before which sums of all pieces are written once. Savepoints undo a piece that fails after it has written. SQLite copies
 * each page that changes under one, so a group begins without them and runs again with them when a piece needs to be undone.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #sql: PreparedSql;
  readonly #bounds: GroupCommitBounds;
  readonly #writeBack: LogWriteBack;
  readonly #savepoint: StatementSync;
  readonly #rollBackTo: StatementSync;
  readonly #release: StatementSync;
  #queue: QueuedWork[] = [];
  #running: Promise<void> | null = null;
  #closed = false;

  /** `sql` has the statements of all work. */
  constructor(
    database: DatabaseSync,
    sql: PreparedSql,
    bounds: GroupCommitBounds,
    writeBack: LogWriteBack,
  ) {
    this.#database = database;
    this.#sql = sql;
    this.#bounds = bounds;
    this.#writeBack = writeBack;
    this.#savepoint = database.prepare('SAVEPOINT part');
    this.#rollBackTo = database.prepare('ROLLBACK TO part');
    this.#release = database.prepare('RELEASE part');
  }

  /** Refuses with `overloaded` when the queue is full, `storage_unavailable` when the commit fails. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(storageUnavailable(new Error('The store is closed.')));
    if (this.#queue.length >= this.#bounds.queueMax) return Promise.reject(overloaded());
    const result = new Promise<Result>((resolve, reject) => {
      // `QueuedWork` drops the type of the result, which only this pair of functions uses.
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
    });
    this.#running ??= this.#drain();
    return result;
  }

  /** Finishes the queued work and refuses new work. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // A turn later all work of this turn is in the queue.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#writeBack.remainder;
      const group = this.#queue.splice(0, this.#bounds.groupMax);
      await this.#commit(group);
      this.#writeBack.startIfLong();
    }
    this.#running = null;
  }

  async #commit(group: readonly QueuedWork[]): Promise<void> {
    let settlements: readonly (() => void)[];
    try {
      await this.#begin();
      settlements = (await this.#runTogether(group)) ?? (await this.#runApart(group));
      this.#sql.writeAdditions();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      const refusal = error instanceof Problem ? error : storageUnavailable(error);
      for (const part of group) part.reject(refusal);
      return;
    }
    for (const settle of settlements) settle();
  }

  /**
   * Retries between turns while another process has the lock, usually for milliseconds, so that reads continue. SQLite's
   * own waiting stops the process, and its pauses of up to 25 ms miss the moments in which an import lets others write.
   */
  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#bounds.lockWaitMs;
    for (;;) {
      try {
        this.#database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await delay(1);
      }
    }
  }

  /** Runs all parts without savepoints. Rolls back and returns null if one of several fails after it has written. */
  async #runTogether(group: readonly QueuedWork[]): Promise<(() => void)[] | null> {
    const settlements: (() => void)[] = [];
    for (const part of group) {
      const writesBefore = this.#sql.writes;
      const { settle, hasFailed } = await runPart(part);
      settlements.push(settle);
      if (!hasFailed || this.#sql.writes === writesBefore) continue;
      this.#rollBack();
      await this.#begin();
      return group.length === 1 ? settlements : null;
    }
    return settlements;
  }

  /** Runs each part in a savepoint of its own. */
  async #runApart(group: readonly QueuedWork[]): Promise<(() => void)[]> {
    const settlements: (() => void)[] = [];
    for (const part of group) {
      this.#savepoint.run();
      const { settle, hasFailed } = await runPart(part);
      if (hasFailed) {
        this.#sql.dropAdditions();
        this.#rollBackTo.run();
      } else this.#sql.writeAdditions();
      this.#release.run();
      settlements.push(settle);
    }
    return settlements;
  }

  #rollBack(): void {
    this.#sql.dropAdditions();
    if (!this.#database.isTransaction) return;
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // A full disk can end the transaction by itself; the next BEGIN shows whether the store works again.
    }
  }
}

export interface GroupCommitBounds {
  /** Longest queue of writes. */
  readonly queueMax: number;
  /** Most writes in one transaction, which bounds the wait of the others. */
  readonly groupMax: number;
  /** Longest wait for the lock of another process. */
  readonly lockWaitMs: number;
}

interface QueuedWork {
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Runs a part. Throws only failures of the store, which end the whole group. */
async function runPart({ work, resolve, reject }: QueuedWork): Promise<RunPart> {
  try {
    const result = await work();
    return { settle: () => resolve(result), hasFailed: false };
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
    return { settle: () => reject(error), hasFailed: true };
  }
}

interface RunPart {
  /** Gives the caller its result, after the commit. */
  readonly settle: () => void;
  readonly hasFailed: boolean;
}

export function overloaded(): Problem {
  return new Problem(
    'overloaded',
    {
      ko: '쓰기 요청이 몰려 받지 못했습니다. 잠시 뒤 다시 보내세요.',
      en: 'Too many writes are waiting; this one was refused. Retry shortly.',
    },
    { retryAfterS: 1 },
  );
}
