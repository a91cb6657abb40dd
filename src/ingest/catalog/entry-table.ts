import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { catalogTypes, type CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';

/**
 * The entries of a catalog that is being built, each id once. They are in a temporary SQLite file, because the real
 * catalog has 360,000 entries, too many for memory. Disposing of the table removes the file.
 */
export class EntryTable implements Disposable {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #find;
  readonly #put;
  readonly #remove;

  constructor(path: string) {
    this.#path = path;
    rmSync(path, { force: true });
    this.#database = new DatabaseSync(path);
    this.#database.exec(schema);
    this.#find = this.#database.prepare('SELECT json, row FROM entries WHERE id = ?');
    this.#put = this.#database.prepare(
      `INSERT INTO entries (id, type, number, created, modified, row, json)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET created = excluded.created, modified = excluded.modified,
         row = excluded.row, json = excluded.json`,
    );
    this.#remove = this.#database.prepare('DELETE FROM entries WHERE id = ?');
  }

  /** The entry with an id, and its row in the source; null if there is none. */
  find(id: string): { readonly entry: CatalogEntry; readonly row: number } | null {
    const found = this.#find.get(id);
    return found === undefined ? null : { entry: entryIn(found), row: Number(found['row']) };
  }

  /** Adds an entry. An entry with the same id is replaced and keeps its position. */
  put(entry: CatalogEntry, row = 0): void {
    const { id, type, portalId, created, modified } = entry;
    const rank = catalogTypes.indexOf(type);
    const json = JSON.stringify(entry);
    this.#put.run(id, rank, Number(portalId), created, modified, row, json);
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  clear(): void {
    this.#database.exec('DELETE FROM entries');
  }

  counts(): EntryCounts {
    const byType: Record<CatalogType, number> = { API: 0, FILE: 0, LINKED: 0, STD: 0 };
    let total = 0;
    let newest: string | null = null;
    const rows = this.#database
      .prepare('SELECT type, count(*) AS entries, max(modified) AS newest FROM entries GROUP BY 1')
      .all();
    for (const row of rows) {
      const type = catalogTypes[Number(row['type'])]!;
      byType[type] = Number(row['entries']);
      total += byType[type];
      const day = row['newest'];
      if (typeof day === 'string' && day > (newest ?? '')) newest = day;
    }
    return { total, byType, newest };
  }

  /** All entries, in the order in which their ids were first added. */
  [Symbol.iterator](): Generator<CatalogEntry> {
    return this.#entries('SELECT json FROM entries ORDER BY sequence');
  }

  /** All entries, most recently modified first. */
  newestFirst(): Generator<CatalogEntry> {
    this.#database.exec(`CREATE INDEX IF NOT EXISTS newest ON entries (${newestFirst})`);
    return this.#entries(`SELECT json FROM entries INDEXED BY newest ORDER BY ${newestFirst}`);
  }

  [Symbol.dispose](): void {
    if (!this.#database.isOpen) return;
    this.#database.close();
    rmSync(this.#path, { force: true });
  }

  *#entries(select: string): Generator<CatalogEntry> {
    for (const row of this.#database.prepare(select).iterate()) yield entryIn(row);
  }
}

/** Number of entries, and the ISO date of the latest change (null if unknown). */
export interface EntryCounts {
  readonly total: number;
  readonly byType: Readonly<Record<CatalogType, number>>;
  readonly newest: string | null;
}

/** Durability is off, and one transaction is never committed: no other process reads the table. */
const schema = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE entries (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type INTEGER NOT NULL,
  number INTEGER NOT NULL,
  created TEXT,
  modified TEXT,
  row INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;
BEGIN;
`;

/** The order of `newestFirst` in `data/catalog.ts`. */
const newestFirst = `coalesce(modified, created, '') DESC, coalesce(created, '') DESC, type, number DESC`;

function entryIn({ json }: Readonly<Record<string, unknown>>): CatalogEntry {
  // Only `put` writes this column.
  return JSON.parse(String(json)) as CatalogEntry;
}
