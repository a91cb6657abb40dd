import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { driverAddress } from '../postgres/connection.ts';
import { openDatabase } from '../postgres/open-database.ts';
import { copyIn, copyOut } from './copy.ts';
import type { Key, MoveTarget } from './move-store.ts';
import { filledTables, movedTables, type Kind, type MovedTable } from './tables.ts';

/** A members' store in a PostgreSQL database that no service uses. */
export class PostgresMove implements MoveTarget {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Opens a store to read it. Writes of others wait until the end; an `Error` while a service is connected. */
  static async source(url: string): Promise<PostgresMove> {
    await openDatabase(url);
    return opened(url, async (client) => {
      await requireAlone(client);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query(`LOCK TABLE ${names.join(', ')} IN SHARE MODE`);
      return new PostgresMove(client);
    });
  }

  /**
   * Opens a store to fill it: an empty database, or one that an interrupted move of the same store has begun to fill.
   * `fingerprint` is that of the store's secret. Services refuse to start with the database until the end.
   */
  static async target(url: string, fingerprint: string): Promise<PostgresMove> {
    await openDatabase(url, { isMove: true });
    return opened(url, async (client) => {
      await requireAlone(client);
      const { rows } = await client.query<{ fingerprint: string }>(
        'SELECT fingerprint FROM unfinished_move',
      );
      if (rows.length === 0) await requireEmpty(client, fingerprint);
      else if (rows[0]!.fingerprint !== fingerprint) throw otherMove();
      await client.query(
        'INSERT INTO unfinished_move VALUES (1, $1) ON CONFLICT (one) DO NOTHING',
        [fingerprint],
      );
      return new PostgresMove(client);
    });
  }

  page(table: MovedTable, after: Key | null, limit: number): Promise<readonly string[]> {
    const { name, where = 'true' } = table;
    const columns = Object.keys(table.columns).join(', ');
    const key = table.key.map((column) => ordered(table, column)).join(', ');
    const isAfter = after === null ? 'true' : `(${key}) > (${literalsOf(table, after).join(', ')})`;
    return copyOut(
      this.#client,
      `COPY (SELECT ${columns} FROM ${name} WHERE ${where} AND ${isAfter} ORDER BY ${key} LIMIT ${limit}) TO STDOUT`,
    );
  }

  async lastLine(table: MovedTable): Promise<string | null> {
    if (filledTables.has(table.name)) return null;
    const columns = Object.keys(table.columns).join(', ');
    const order = table.key.map((column) => `${ordered(table, column)} DESC`).join(', ');
    const [line] = await copyOut(
      this.#client,
      `COPY (SELECT ${columns} FROM ${table.name} WHERE ${table.where ?? 'true'} ORDER BY ${order} LIMIT 1) TO STDOUT`,
    );
    return line ?? null;
  }

  async append({ name, columns }: MovedTable, lines: readonly string[]): Promise<void> {
    await this.#client.query('BEGIN');
    try {
      if (filledTables.has(name)) await this.#client.query(`DELETE FROM ${name}`);
      await copyIn(
        this.#client,
        `COPY ${name} (${Object.keys(columns).join(', ')}) FROM STDIN`,
        lines,
      );
      await this.#client.query('COMMIT');
    } catch (cause) {
      if (!(cause instanceof pg.DatabaseError)) throw cause;
      const place = cause.where === undefined ? '' : ` (${cause.where.slice(0, 200)})`;
      throw new Error(`The table ${name} cannot be stored: ${cause.message}${place}.`, { cause });
    }
  }

  async lastId(table: string): Promise<number> {
    const { rows } = await this.#client.query<{ id: string | null }>(
      `SELECT pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass) AS id`,
      [table],
    );
    return Number(rows[0]!.id ?? 0);
  }

  async setLastId(table: string, id: number): Promise<void> {
    if (id === 0) return;
    await this.#client.query(`SELECT setval(pg_get_serial_sequence($1, 'id')::regclass, $2)`, [
      table,
      id,
    ]);
  }

  /** Counts rows for the planner, and marks pages that index-only scans need not look at. */
  async settle(): Promise<void> {
    await this.#client.query(`VACUUM (ANALYZE) ${names.join(', ')}`);
  }

  /** Each page was committed. */
  finish(): Promise<void> {
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

async function opened(
  url: string,
  prepare: (client: pg.Client) => Promise<PostgresMove>,
): Promise<PostgresMove> {
  const client = new pg.Client({
    connectionString: driverAddress(url),
    keepAlive: true,
    application_name: 'maru move',
    // Times of a move are those of its tables.
    options: '-c jit=off -c idle_in_transaction_session_timeout=0 -c statement_timeout=0',
  });
  // A lost connection rejects the statement under way, too.
  client.on('error', () => {});
  await client.connect();
  try {
    return await prepare(client);
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Throws while a service or another move is connected to the database. */
async function requireAlone(client: pg.Client): Promise<void> {
  let count = 0;
  for (let look = 0; look < 20; look++) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'maru%' AND pid <> pg_backend_pid()`,
    );
    count = Number(rows[0]!.count);
    if (count === 0) return;
    // The server may not have noticed the end of a connection yet.
    await pause(50);
  }
  throw new Error(
    `The database is in use: ${count} connections of Maru. Stop the services and commands that use it, then move again.`,
  );
}

async function requireEmpty(client: pg.Client, fingerprint: string): Promise<void> {
  const { rows: used } = await client.query<{ fingerprint: string }>(
    'SELECT fingerprint FROM secret_fingerprint',
  );
  if (used[0]?.fingerprint === fingerprint) {
    throw new Error(
      'The database has this store already: a move into it has ended, or services have used it. Start the services with it, or create another database.',
    );
  }
  for (const name of names) {
    if (filledTables.has(name)) continue;
    const { rows } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new Error(
      `The database is not empty: there are rows in ${name}. Create another one: a move changes no store that exists.`,
    );
  }
}

function otherMove(): Error {
  return new Error(
    'A move of another store into this database has not ended. Create another database, or end that move first.',
  );
}

/** Text in the order of its bytes, as in SQLite. */
function ordered({ columns }: MovedTable, column: string): string {
  return columns[column] === 'text' ? `${column} COLLATE "C"` : column;
}

function literalsOf({ columns, key }: MovedTable, values: Key): readonly string[] {
  return values.map(
    (value, at) => `${pg.escapeLiteral(value)}::${keyTypes[columns[key[at]!]!] ?? 'text'}`,
  );
}

const keyTypes: Partial<Record<Kind, string>> = { number: 'bigint', bytes: 'bytea' };

const names = [...new Set(movedTables.map(({ name }) => name))];
