import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../../kernel/storage-failure.ts';
import { dataPaths } from './layout.ts';

/**
 * Lock that one process at a time has. It is a lock of the operating system on a SQLite file: it ends with the process,
 * even with kill -9, and leaves nothing to clean up.
 */
export class FileLock implements Disposable {
  readonly #database: DatabaseSync;

  /** Creates the file if it is absent. Throws the error of `busy` if another process has the lock. */
  constructor(path: string, busy: (cause: unknown) => Error) {
    mkdirSync(dirname(path), { recursive: true });
    this.#database = new DatabaseSync(path);
    try {
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      throw isBusy(error) ? busy(error) : lockError(path, error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Lock under which one process at a time builds a snapshot in a data folder. */
export class BuildLock extends FileLock {
  /** Throws `BuildInProgress` if another process has the lock. */
  constructor(data: string) {
    super(dataPaths(data).lock, (cause) => new BuildInProgress(data, cause));
  }
}

function lockError(lock: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice =
    'Check that the folder is writable and has free space; the lock file itself may be deleted.';
  return new Error(`The lock ${lock} cannot be taken: ${reason}. ${advice}`, { cause });
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
