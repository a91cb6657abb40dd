import type { Statement } from './statement.ts';

/**
 * Calls of one turn of the event loop, in the order in which the server runs them. A statement that serves many calls
 * runs once for all of its calls, unless that changed the order of the calls of an asker.
 */
export class Turn {
  readonly #runs: Run[] = [];
  readonly #latest = new Map<Statement<unknown>, number>();
  /** Last run of each asker. */
  readonly #places = new Map<object, number>();
  /** Runs before this one are closed. */
  #floor = 0;

  /** Runs in their order. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** Adds a call. `asker` is null for one whose calls are independent of each other. */
  call(
    statement: Statement<unknown>,
    values: readonly unknown[],
    asker: object | null,
  ): Promise<Result<unknown>> {
    const earliest = asker === null ? 0 : (this.#places.get(asker) ?? 0);
    const key = statement.key.length === 0 ? null : keyOf(statement.key.map((at) => values[at]));
    let place = this.#latest.get(statement) ?? -1;
    let run = place >= Math.max(earliest, this.#floor) ? this.#runs[place]! : null;
    if (run === null || run.calls.length >= callsMax || (key !== null && run.keys.has(key))) {
      place = this.#runs.length;
      run = { statement, text: statement.text, calls: [], keys: new Map() };
      this.#runs.push(run);
      if (statement.given !== null) this.#latest.set(statement, place);
    }
    if (asker !== null) this.#places.set(asker, place);
    const { calls, keys } = run;
    if (key !== null) keys.set(key, calls.length);
    return new Promise((resolve, reject) => calls.push({ values, resolve, reject }));
  }

  /** Adds SQL without values, which every call before it precedes and every later one follows. */
  execute(text: string): Promise<Result<unknown>> {
    const calls: Call[] = [];
    this.#floor = this.#runs.push({ statement: null, text, calls, keys: new Map() });
    return new Promise((resolve, reject) => calls.push({ values: [], resolve, reject }));
  }
}

/** Rows of a call, and the number of rows that it returned or changed. */
export interface Result<Row> {
  readonly rows: Row[];
  readonly count: number;
  /** Command that ended. */
  readonly command: string;
}

/** A statement with the calls that it serves. */
export interface Run {
  /** Null for SQL without values. */
  readonly statement: Statement<unknown> | null;
  readonly text: string;
  readonly calls: Call[];
  /** Places of the calls by their keys. */
  readonly keys: Map<string, number>;
}

interface Call {
  readonly values: readonly unknown[];
  readonly resolve: (result: Result<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Most calls of a run. The server works on the first run while this process makes the next one, and this process on the
 * first rows while the server makes the next ones.
 */
const callsMax = 32;

/** Values of the parameters of a run: an array for each value of its calls. */
export function valuesOf({ statement, calls }: Run): readonly unknown[] {
  if (statement === null || statement.given === null) return calls[0]!.values;
  return Array.from({ length: statement.given }, (_, at) => calls.map(({ values }) => values[at]));
}

/** Gives each call of a run its error. */
export function refuse({ calls }: Run, error: unknown): void {
  for (const { reject } of calls) reject(error);
}

/** Gives each call of a run its rows. */
export function settle(
  run: Run,
  rows: readonly (readonly unknown[])[],
  count: number,
  command: string,
): void {
  const { statement, calls, keys } = run;
  const columns = statement?.columns ?? [];
  if (statement === null || statement.given === null || statement.given === 0) {
    const shared = { rows: rows.map((row) => rowOf(columns, row, 0)), count, command };
    for (const { resolve } of calls) resolve(shared);
    return;
  }
  const own: unknown[][] = calls.map(() => []);
  // Rows that are read begin with the place of the call, from 1; returned ones with the key.
  const length = statement.key.length;
  for (const row of rows) {
    const place = length === 0 ? Number(row[0]) - 1 : keys.get(keyOf(row.slice(0, length)))!;
    own[place]!.push(rowOf(columns, row, length === 0 ? 1 : 0));
  }
  for (const [at, { resolve }] of calls.entries()) {
    resolve({ rows: own[at]!, count: own[at]!.length, command });
  }
}

function keyOf(values: readonly unknown[]): string {
  const texts = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
  );
  return texts.join('\n');
}

function rowOf(columns: readonly string[], values: readonly unknown[], from: number): object {
  const row: Record<string, unknown> = {};
  for (let at = from; at < columns.length; at++) row[columns[at]!] = values[at];
  return row;
}
