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
    end: CallEnd,
  ): void {
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
    calls.push({ values, end });
  }

  /** Adds SQL without values, which every call before it precedes and every later one follows. */
  execute(text: string): Promise<Result<unknown>> {
    const calls: Call[] = [];
    this.#floor = this.#runs.push({ statement: null, text, calls, keys: new Map() });
    return new Promise((resolve, reject) => calls.push({ values: [], end: { resolve, reject } }));
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

/** Taker of the result of a call, or of its error. */
export interface CallEnd {
  resolve(result: Result<unknown>): void;
  reject(error: unknown): void;
}

interface Call {
  readonly values: readonly unknown[];
  readonly end: CallEnd;
}

/**
 * Most calls of a run. The server works on the first run while this process makes the next one, and this process on the
 * first rows while the server makes the next ones.
 */
const callsMax = 32;

/** Values of the parameters of a run: an array for each value of its calls, as the server reads it. */
export function valuesOf({ statement, calls }: Run): readonly unknown[] {
  if (statement === null || statement.given === null) return calls[0]!.values;
  return Array.from({ length: statement.given }, (_, at) => arrayText(calls, at));
}

/** Text of an array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function arrayText(calls: readonly Call[], at: number): string {
  let text = '{';
  for (const { values } of calls) {
    if (text.length > 1) text += ',';
    text += elementText(values[at]);
  }
  return `${text}}`;
}

function elementText(value: unknown): string {
  if (value instanceof Uint8Array) return `"\\\\x${bytesOf(value).toString('hex')}"`;
  // Numbers, booleans and NULL are the same there.
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Gives each call of a run its error. */
export function refuse({ calls }: Run, error: unknown): void {
  for (const { end } of calls) end.reject(error);
}

/** Gives each call of a run its rows. */
export function settle(
  run: Run,
  rows: readonly (readonly unknown[])[],
  count: number,
  command: string,
): void {
  const { statement, calls, keys } = run;
  if (statement === null || !isForMany(statement)) {
    const shared = { rows: rows.map((row) => rowOf(statement, row)), count, command };
    for (const { end } of calls) end.resolve(shared);
    return;
  }
  const own: object[][] = calls.map(() => []);
  const length = statement.key.length;
  for (const row of rows) {
    const place = length === 0 ? Number(row[0]) - 1 : keys.get(keyOf(row.slice(0, length)))!;
    own[place]!.push(rowOf(statement, row));
  }
  for (const [at, { end }] of calls.entries()) {
    end.resolve({ rows: own[at]!, count: own[at]!.length, command });
  }
}

/** True if each call has rows of its own. */
function isForMany({ given }: Statement<unknown>): boolean {
  return given !== null && given > 0;
}

/** Names the columns of a statement: its rows are copies of this one, which have room for all columns at once. */
export function nameColumns(statement: Statement<unknown>, names: readonly string[]): void {
  // Rows that are read begin with the place of the call, from 1; returned ones with the key.
  const first = isForMany(statement) && statement.key.length === 0 ? 1 : 0;
  const empty = Object.fromEntries(names.slice(first).map((name) => [name, null]));
  statement.columns = { names, first, empty };
}

function rowOf(statement: Statement<unknown> | null, values: readonly unknown[]): object {
  const { names, first, empty } = statement!.columns!;
  const row: Record<string, unknown> = { ...empty };
  for (let at = first; at < names.length; at++) row[names[at]!] = values[at];
  return row;
}

function keyOf(values: readonly unknown[]): string {
  const texts = values.map((value) =>
    value instanceof Uint8Array ? bytesOf(value).toString('latin1') : String(value),
  );
  return texts.join('\n');
}
