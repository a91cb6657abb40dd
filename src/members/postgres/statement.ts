/**
 * A statement that each connection prepares at its first use. Columns of its rows get the names of entities: `svc_uid` is
 * `svcUid`.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /**
   * True if parts of a transaction may run it beside others. Its part has claimed the member, the address or the local id
   * that it is about; or it adds to something, and the order of additions does not matter.
   */
  readonly runsBeside: boolean;
  readonly writes: boolean;
  /** Number of the values that a call gives, if one run serves many calls; null for one that serves a call. */
  readonly given: number | null;
  /** Positions of the values in which the calls of a run differ, if the statement writes. */
  readonly key: readonly number[];
  /** Columns of its rows; known after the first result. */
  columns: Columns | null;
  /** Type of the rows; never set. */
  readonly row?: Row;
}

interface Columns {
  readonly names: readonly string[];
  /** Place of the first one that a row has. */
  readonly first: number;
  /** A row whose values are null. */
  readonly empty: object;
}

/**
 * Columns of the table `given`, with their types: its rows are the calls of a turn of the event loop, so that the
 * statement runs once for all. Without columns all calls share the answer.
 */
type Given = Readonly<Record<string, 'bigint' | 'boolean' | 'bytea' | 'integer' | 'text'>>;

/** A statement that runs while no other part of its transaction does. `Row` names the columns as the SQL does. */
export function statement<Row = never>(text: string, given?: Given): Statement<Row> {
  return define(text, false, given);
}

/**
 * A statement that parts of a transaction may run beside others: see `runsBeside`. One that writes what is `given` names
 * the columns of a key: calls with the same key run one after another. What it returns begins with the key.
 */
export function besideStatement<Row = never>(
  text: string,
  given?: Given,
  key: readonly string[] = [],
): Statement<Row> {
  return define(text, true, given, key);
}

/** Every statement of the store, for the test that none reads without a bound. */
export const statements: Statement<unknown>[] = [];

function define<Row>(
  text: string,
  runsBeside: boolean,
  given?: Given,
  key: readonly string[] = [],
): Statement<Row> {
  const names = Object.keys(given ?? {});
  const made = {
    name: `maru_${statements.length}`,
    text: given === undefined || names.length === 0 ? text : withGiven(text, given),
    runsBeside,
    writes: !text.startsWith('SELECT'),
    given: given === undefined ? null : names.length,
    key: key.map((name) => names.indexOf(name)),
    columns: null,
  };
  statements.push(made);
  return made;
}

/** Puts the table `given` before a statement; one that reads returns first the place of the call. */
function withGiven(text: string, given: Given): string {
  const names = Object.keys(given).join(', ');
  const arrays = Object.values(given).map((type, at) => `$${at + 1}::${type}[]`);
  const table = `given AS (SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${names}, at))`;
  if (text.startsWith('WITH ')) return `WITH ${table}, ${text.slice('WITH '.length)}`;
  return `WITH ${table} ${text.replace(/^SELECT /, 'SELECT given.at, ')}`;
}
