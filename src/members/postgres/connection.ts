import { hostname } from 'node:os';
import pg from 'pg';
import type { Statement } from './statement.ts';
import {
  nameColumns,
  refuse,
  settle,
  Turn,
  valuesOf,
  type CallEnd,
  type Result,
  type Run,
} from './turn.ts';

/**
 * A connection to PostgreSQL that sends the statements of a turn of the event loop in one packet, without waiting for the
 * results of those before.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  #isBroken = false;
  #turn: Turn | null = null;
  #notices: string[] = [];

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('error', () => (this.#isBroken = true));
    client.on('end', () => (this.#isBroken = true));
    client.on('notice', ({ code }) => this.#notices.push(code ?? ''));
  }

  /** Connects. `isForCounts` is a connection for counts over many rows, whose plans the server chooses freely. */
  static async open(
    url: string,
    { isForCounts = false, waitMs }: { isForCounts?: boolean; waitMs?: number } = {},
  ): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: driverAddress(url),
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      query_timeout: waitMs ?? (isForCounts ? countMs : answerMs),
      keepAlive: true,
      application_name: applicationName,
      options: isForCounts ? countOptions : options,
      types: { getTypeParser },
    });
    const connection = new PostgresConnection(client);
    await client.connect();
    return connection;
  }

  /** True after the connection was lost. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Codes of the notices since the last call. */
  takeNotices(): readonly string[] {
    return this.#notices.splice(0);
  }

  /** Runs a prepared statement. The server keeps the order of the calls of an asker; null for independent ones. */
  run<Row>(
    statement: Statement<Row>,
    values: readonly unknown[],
    asker: object | null = null,
  ): Promise<Result<Row>> {
    const run = new Promise<Result<unknown>>((resolve, reject) =>
      this.send(statement, values, asker, { resolve, reject }),
    );
    // The SQL names the columns, and the types of the tables guarantee the types of the values.
    return run as Promise<Result<Row>>;
  }

  /** Runs a prepared statement in the same way. `end` takes its end. */
  send(
    statement: Statement<unknown>,
    values: readonly unknown[],
    asker: object | null,
    end: CallEnd,
  ): void {
    this.#open().call(statement, values, asker, end);
  }

  /**
   * Runs SQL without parameters, after the calls before it; several statements are one transaction. Returns the command
   * that ended.
   */
  async execute(text: string): Promise<string> {
    return (await this.#open().execute(text)).command;
  }

  /** Ends the connection without waiting for results: statements under way fail. */
  destroy(): void {
    this.#isBroken = true;
    this.#client.connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (this.#isBroken) return this.destroy();
    await this.#client.end();
  }

  /** The calls of this turn of the event loop, which are sent at its end. */
  #open(): Turn {
    if (this.#turn !== null) return this.#turn;
    const turn = (this.#turn = new Turn());
    setImmediate(() => {
      this.#turn = null;
      const { stream } = this.#client.connection;
      stream.cork();
      for (const run of turn.runs) this.#send(run);
      stream.uncork();
    });
    return turn;
  }

  #send(run: Run): void {
    const { statement, text } = run;
    const prepared = statement === null ? {} : { name: statement.name, values: [...valuesOf(run)] };
    const isLong = statement !== null && statement.writes && !statement.runsBeside;
    const wait = isLong ? { query_timeout: longWriteMs } : {};
    const query = { text, ...prepared, ...wait, rowMode: 'array' as const };
    this.#client.query<unknown[]>(query, (error: Error | null, result) => {
      if (error !== null && error !== undefined) return refuse(run, error);
      const { rows, fields, rowCount, command } = result;
      if (statement !== null && statement.columns === null) {
        nameColumns(
          statement,
          fields.map(({ name }) => camelCase(name)),
        );
      }
      settle(run, statement === null ? [] : rows, rowCount ?? 0, command);
    });
  }
}

/**
 * The address as the driver takes it: with it the modes of `sslmode` have the meaning that PostgreSQL's own programs give
 * them, in this version of the driver and in the next one.
 */
export function driverAddress(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`;
}

/** Name of this process on the server; the server cuts it after 63 bytes. */
const applicationName = `maru ${process.pid} ${hostname()}`;

/** Longest wait for a connection. */
const connectMs = 5_000;

/**
 * Longest wait for the result of a statement, which for a commit includes the standby. Then the connection is given up.
 * Clients wait for five seconds.
 */
const answerMs = 4_000;
/** The same for a write that may be about all events of a member. */
const longWriteMs = 8_000;
const countMs = 600_000;

/**
 * Plans are made once and follow the indexes, which every statement has: a plan made for an empty table stays good. A
 * process that stops in a transaction gives up its turn after five seconds.
 */
export const options =
  '-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off ' +
  '-c enable_mergejoin=off -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000';
const countOptions = '-c jit=off -c default_transaction_read_only=on';

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Numbers of 64 bits are ids, times and counts, all below 2^53. */
function getTypeParser(type: number, format?: string): (text: string) => unknown {
  if (type === bigint) return Number;
  if (type === textArray) return lastTextArray;
  if (type === bigintArray)
    return (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number);
  return pg.types.getTypeParser(type, format as 'text') as (text: string) => unknown;
}

const bigint = 20;
const bigintArray = 1016;
const textArray: number = 1009;

// The types of the driver have no name for text[].
const readTextArray = pg.types.getTypeParser(textArray, 'text') as (text: string) => string[];
let last: { readonly text: string; readonly values: readonly string[] } = {
  text: '{}',
  values: [],
};

/** Reads a text[]. Calls of one key come together, and each has the same scopes. */
function lastTextArray(text: string): readonly string[] {
  if (text !== last.text) last = { text, values: Object.freeze(readTextArray(text)) };
  return last.values;
}
