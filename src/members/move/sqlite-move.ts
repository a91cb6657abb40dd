import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { migrationsIn, missingMigrations, type AppliedMigration } from '../../kernel/migrate.ts';
import { inTransaction } from '../../kernel/sqlite.ts';
import { localHash } from '../store/identifying-text.ts';
import { arrayText, readLine, sqliteValue, writtenInSqlite } from './copy-text.ts';
import type { Key, MoveTarget } from './move-store.ts';
import { filledTables, type MovedTable } from './tables.ts';

/** A members' store in an SQLite file that no other process has open. */
export class SqliteMove implements MoveTarget {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
    database.function(
      'array_of_json',
      readArray((text) => JSON.parse(text) as unknown[]),
    );
    database.function(
      'array_of_words',
      readArray((text) => text.split(' ').filter(Boolean)),
    );
    database.function('local_hash', (text) => localHash(String(text)));
  }

  /** Opens a store to read it. Throws an `Error` while another process uses it. */
  static source(path: string): SqliteMove {
    const database = openAlone(path);
    database.exec('PRAGMA query_only = ON');
    return new SqliteMove(database);
  }

  /** Opens a store to fill it; a power cut may damage it until the end. */
  static target(path: string): SqliteMove {
    const database = openAlone(path);
    database.exec('ROLLBACK; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536');
    // An earlier move may have stopped between its own entry in the audit log and its end.
    database.exec(
      `DELETE FROM audit WHERE action = 'store_moved' AND seq = (SELECT max(seq) FROM audit);
       DELETE FROM audit_head`,
    );
    return new SqliteMove(database);
  }

  page(table: MovedTable, after: Key | null, limit: number): Promise<readonly string[]> {
    const { where = 'true', sqlite = {} } = table;
    const key = table.key.join(', ');
    const isAfter = after === null ? 'true' : `(${key}) > (${table.key.map(() => '?').join(', ')})`;
    const sql = `SELECT ${lineOf(table)} AS line FROM ${sqlite.from ?? table.name}
      WHERE ${where} AND ${sqlite.where ?? 'true'} AND ${isAfter} ORDER BY ${key} LIMIT ?`;
    const values = (after ?? []).map((text, at) =>
      sqliteValue(text, table.columns[table.key[at]!]!),
    );
    // The only column is a text.
    const rows = this.#prepared(sql).all(...values, limit) as { line: string }[];
    return Promise.resolve(rows.map(({ line }) => line));
  }

  lastLine(table: MovedTable): Promise<string | null> {
    if (filledTables.has(table.name)) return Promise.resolve(null);
    const order = table.key.map((column) => `${column} DESC`).join(', ');
    const sql = `SELECT ${lineOf(table)} AS line FROM ${table.name} WHERE ${table.where ?? 'true'}
      ORDER BY ${order} LIMIT 1`;
    const row = this.#prepared(sql).get() as { line: string } | undefined;
    return Promise.resolve(row?.line ?? null);
  }

  async append(table: MovedTable, lines: readonly string[]): Promise<void> {
    const columns = Object.entries(table.columns);
    const names = columns.map(([name]) => name);
    const inserts = (table.sqlite?.inserts ?? [insertOf(table.name, names)]).map((sql) => {
      const statement = this.#prepared(sql);
      statement.setAllowUnknownNamedParameters(true);
      return statement;
    });
    inTransaction(this.#database, () => {
      if (filledTables.has(table.name)) this.#database.exec(`DELETE FROM ${table.name}`);
      for (const line of lines) {
        const values = readLine(line);
        const row = Object.fromEntries(
          columns.map(([name, kind], at) => [name, sqliteValue(values[at]!, kind)]),
        );
        for (const insert of inserts) insert.run(row);
      }
    });
  }

  lastId(table: string): Promise<number> {
    const sql = 'SELECT seq FROM sqlite_sequence WHERE name = ?';
    const row = this.#prepared(sql).get(table) as { seq: number } | undefined;
    return Promise.resolve(row?.seq ?? 0);
  }

  async setLastId(table: string, id: number): Promise<void> {
    this.#prepared('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    // The column has no type, and the driver binds numbers as doubles.
    const insert = 'INSERT INTO sqlite_sequence VALUES (?, CAST(? AS INTEGER))';
    if (id > 0) this.#prepared(insert).run(table, id);
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.#database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens a file with a lock on all of it: SQLite refuses it while another process has the file open, and refuses other
 * processes until it ends.
 */
function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    requireCurrent(path, database);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new Error(
        `${path} is in use. Stop the service and every other command that uses it, then move again.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html). */
const busy = 5;

/** Throws if the store lacks a migration: the columns would not match. A move does not change its source. */
function requireCurrent(path: string, database: DatabaseSync): void {
  // `migrate` creates the table with these columns.
  const applied = database
    .prepare('SELECT name, checksum FROM migrations ORDER BY name LIMIT 10000')
    .all() as unknown as AppliedMigration[];
  const all = migrationsIn(join(import.meta.dirname, '../store/migrations'));
  if (missingMigrations(path, applied, all).length === 0) return;
  throw new Error(
    `${path} is from an older release. Run ./maru audit verify once, which brings it up to date, then move again.`,
  );
}

function lineOf({ columns, sqlite }: MovedTable): string {
  return Object.entries(columns)
    .map(([name, kind]) => writtenInSqlite(sqlite?.columns?.[name] ?? name, kind))
    .join(` || char(9) || `);
}

function insertOf(table: string, names: readonly string[]): string {
  const values = names.map((name) => `$${name}`).join(', ');
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`;
}

function readArray(read: (text: string) => readonly unknown[]) {
  return (text: unknown) => (typeof text === 'string' ? arrayText(read(text)) : null);
}
