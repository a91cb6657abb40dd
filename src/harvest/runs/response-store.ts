import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { syncFolder } from '../../data/snapshot/durable.ts';
import { portalLimits } from '../client/limits.ts';
import type { RawResponse } from '../client/transport.ts';
import { PortalError, type PortalErrorParts } from '../client/portal-error.ts';
import { runLimits } from './limits.ts';
import type { RequestFailure } from './request-failed.ts';

/** A response of an upstream with the time at which it was stored, in milliseconds since 1970. */
interface StoredResponse extends RawResponse {
  readonly storedAt: number;
}

/**
 * The responses of one run, in a SQLite file in the folder of the run. Each is a transaction of its own, so a
 * killed process loses none; they are synced in groups, so a power cut loses only the last group.
 */
export class ResponseStore implements Disposable {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #onStore: (() => void) | undefined;
  readonly #find;
  readonly #insert;
  readonly #findFailure;
  readonly #insertFailure;
  readonly #deleteFailure;
  /** False until a failure is stored: until then, no response needs a query for failures. */
  #hasFailures: boolean;
  #unsynced = 0;
  #syncedAt = performance.now();

  /** Creates a missing file, or throws if `mustExist` is true. `onStore` runs after each response is stored. */
  constructor(
    folder: string,
    now: () => number,
    { mustExist = false, onStore }: { mustExist?: boolean; onStore?: () => void } = {},
  ) {
    this.#now = now;
    this.#onStore = onStore;
    const path = join(folder, fileName);
    const isNew = !hasResponses(folder);
    if (isNew && mustExist) throw new Error(responsesMissing);
    mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(path, { timeout: 10_000 });
    try {
      this.#database.exec(schema);
      if (isNew) syncFolder(folder);
      this.#find = this.#database.prepare(
        'SELECT status, stored_at, body FROM responses WHERE key = ? AND copy = ?',
      );
      this.#insert = this.#database.prepare(
        'INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?, ?)',
      );
      this.#findFailure = this.#database.prepare('SELECT runs, error FROM failures WHERE key = ?');
      this.#insertFailure = this.#database.prepare(
        'INSERT OR REPLACE INTO failures VALUES (?, ?, ?)',
      );
      this.#deleteFailure = this.#database.prepare('DELETE FROM failures WHERE key = ?');
      const anyFailure = this.#database.prepare('SELECT 1 FROM failures LIMIT 1');
      this.#hasFailures = anyFailure.get() !== undefined;
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The stored response; null if it is missing or damaged. `copy` numbers the responses of a request from 0. */
  find(key: string, copy = 0): StoredResponse | null {
    const row = this.#find.get(key, copy);
    if (row === undefined) return null;
    // A BLOB column of a STRICT table.
    const body = unpack(row['body'] as Uint8Array);
    if (body === null) return null;
    return { status: Number(row['status']), storedAt: Number(row['stored_at']), body };
  }

  /** Stores a response. `rows` is its number of records; null if they are not counted. */
  put(key: string, { status, body }: RawResponse, copy = 0, rows: number | null = null): void {
    const packed = zstdCompressSync(body, withChecksum);
    this.#insert.run(key, copy, status, this.#now(), rows, packed);
    if (this.#hasFailures) this.#deleteFailure.run(key);
    const isLate = performance.now() - this.#syncedAt > runLimits.unsyncedMs;
    if (++this.#unsynced >= runLimits.unsyncedMax || isLate) this.sync();
    this.#onStore?.();
  }

  /** The failure of a request that has no response; null for none. */
  findFailure(key: string): RequestFailure | null {
    const row = this.#hasFailures ? this.#findFailure.get(key) : undefined;
    if (row === undefined) return null;
    // Only `putFailure` writes this table.
    const parts = JSON.parse(String(row['error'])) as PortalErrorParts;
    return { error: new PortalError(parts), runs: Number(row['runs']) };
  }

  /** Stores the failure of a request; its next response replaces it. */
  putFailure(key: string, { error, runs }: RequestFailure): void {
    const { reason, advice, code, operation, status, attempts, retryAt } = error;
    const facts = { reason, advice, code, operation, status, attempts, retryAt };
    const parts: PortalErrorParts = { ...facts, class: error.class };
    this.#insertFailure.run(key, runs, JSON.stringify(parts));
    this.#hasFailures = true;
    this.#unsynced++;
  }

  /** Returns the stored response, else the response of `fetch`, after storing it; null if both are missing. */
  async load(
    key: string,
    fetch: (() => Promise<RawResponse>) | null,
    copy = 0,
  ): Promise<StoredResponse | null> {
    const stored = this.find(key, copy);
    if (stored !== null || fetch === null) return stored;
    const { status, body } = await fetch();
    this.put(key, { status, body }, copy);
    return { status, body, storedAt: this.#now() };
  }

  /** Makes everything that was stored so far durable. */
  sync(): void {
    this.#syncedAt = performance.now();
    if (this.#unsynced === 0) return;
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    this.#unsynced = 0;
  }

  /** Keys of requests whose records were counted; true for a key with records in at least one response. */
  hasRecordsByKey(): ReadonlyMap<string, boolean> {
    const rows = this.#database
      .prepare('SELECT key, max(rows) AS most FROM responses GROUP BY key HAVING most IS NOT NULL')
      .all();
    return new Map(rows.map(({ key, most }) => [String(key), Number(most) > 0]));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** True if a run left responses in its folder. */
export function hasResponses(folder: string): boolean {
  return existsSync(join(folder, fileName));
}

const fileName = 'responses.db';

const responsesMissing =
  'The responses of the last run are missing, or an earlier version of Maru stored them in another format: ' +
  'collect again without --reparse.';

/** The body is the last column, so that reading the other columns does not load it. */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS responses (
    key TEXT NOT NULL,
    copy INTEGER NOT NULL,
    status INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    rows INTEGER,
    body BLOB NOT NULL,
    PRIMARY KEY (key, copy)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS failures (
    key TEXT PRIMARY KEY,
    runs INTEGER NOT NULL,
    error TEXT NOT NULL
  ) STRICT;
`;

function unpack(packed: Uint8Array): Uint8Array | null {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: portalLimits.bodyBytesMax });
  } catch {
    // The checksum of the body is wrong.
    return null;
  }
}

const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
