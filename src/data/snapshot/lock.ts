import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../../kernel/storage-failure.ts';
import { dataPaths } from './layout.ts';

/**
 * Lock under which one process at a time builds a snapshot in a data folder. It is a lock of the operating
 * system on a SQLite file: it ends with the process, even with kill -9, and leaves nothing to clean up.
 */
export class BuildLock implements Disposable {
  readonly #database: DatabaseSync;

  /** Throws `BuildInProgress` if another process has the lock. */
  constructor(data: string) {
    const { lock } = dataPaths(data);
    mkdirSync(dirname(lock), { recursive: true });
    this.#database = new DatabaseSync(lock);
    try {
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      throw isBusy(error) ? new BuildInProgress(data, error) : lockError(lock, error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function lockError(lock: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice =
    'Check that the folder is writable and has free space; the lock file itself may be deleted.';
  return new Error(`The build lock ${lock} cannot be taken: ${reason}. ${advice}`, { cause });
}

export class BuildInProgress extends Error {
  constructor(data: string, cause: unknown) {
    super(
      `Another process is building a snapshot in ${data}. Wait until it is done, or stop it, and try again.`,
      { cause },
    );
    this.name = 'BuildInProgress';
  }
}
