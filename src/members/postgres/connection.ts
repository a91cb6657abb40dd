import pg from 'pg';
import type { Statement } from './statement.ts';

/**
 * A connection to PostgreSQL that sends statements without waiting for the results of those before. The server runs them
 * in the order in which they were sent.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  #isBroken = false;
  #isCorked = false;
  #notices: string[] = [];

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('error', () => (this.#isBroken = true));
    client.on('end', () => (this.#isBroken = true));
    client.on('notice', ({ code }) => this.#notices.push(code ?? ''));
  }

  /** Connects. `isForCounts` is a connection for counts over many rows, whose plans the server chooses freely. */
  static async open(url: string, { isForCounts = false } = {}): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      query_timeout: isForCounts ? countMs : answerMs,
      keepAlive: true,
      application_name: 'maru',
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

  /** Runs a prepared statement; returns its rows, and the number of rows that it returned or changed. */
  async run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Result<Row>> {
    const { name, text } = statement;
    const { rows, fields, rowCount } = await this.#send({ name, text, values: [...values] });
    const columns = (statement.columns ??= fields.map((field) => camelCase(field.name)));
    // The SQL names the columns, and the types of the tables guarantee those of the values.
    return { rows: rows.map((row) => rowOf(columns, row) as Row), count: rowCount ?? 0 };
  }

  /** Runs SQL without parameters; several statements are one transaction. Returns the command that ended. */
  async execute(text: string): Promise<string> {
    return (await this.#send({ text })).command;
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

  #send(query: pg.QueryConfig): Promise<pg.QueryArrayResult<unknown[]>> {
    this.#cork();
    return new Promise((resolve, reject) => {
      this.#client.query<unknown[]>(
        { ...query, rowMode: 'array' },
        (error: Error | null, result) => {
          if (error === null || error === undefined) resolve(result);
          else reject(error);
        },
      );
    });
  }

  /** Collects the statements of a turn of the event loop in one packet. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

interface Result<Row> {
  readonly rows: Row[];
  readonly count: number;
}

/** Longest wait for a connection. */
const connectMs = 5_000;

/** Longest wait for the result of a statement, which for a commit includes the standby. Then the connection is given up. */
const answerMs = 8_000;
const countMs = 600_000;

/**
 * Plans are made once and follow the indexes, which every statement has: a plan made for an empty table stays good. A
 * process that stops in a transaction gives up its turn after five seconds.
 */
const options =
  '-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c lock_timeout=2000 ' +
  '-c idle_in_transaction_session_timeout=5000';
const countOptions = '-c jit=off -c default_transaction_read_only=on';

function rowOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) row[columns[at]!] = values[at];
  return row;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Numbers of 64 bits are ids, times and counts, all below 2^53. */
function getTypeParser(type: number, format?: string): (text: string) => unknown {
  if (type === bigint) return Number;
  if (type === bigintArray)
    return (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number);
  return pg.types.getTypeParser(type, format as 'text') as (text: string) => unknown;
}

const bigint = 20;
const bigintArray = 1016;
