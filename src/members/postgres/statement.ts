/** A statement that each connection prepares at its first use. Columns of its rows get the names of entities: `svc_uid` is `svcUid`. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /**
   * True if parts of a transaction may run it beside others. Its part has claimed the member, the address or the local id
   * that it is about; or it adds to something, and the order of additions does not matter.
   */
  readonly runsBeside: boolean;
  readonly writes: boolean;
  /** Names of the columns; known after the first result. */
  columns: readonly string[] | null;
  /** Type of the rows; never set. */
  readonly row?: Row;
}

/** A statement that runs while no other part of its transaction does. `Row` names the columns as the SQL does. */
export function statement<Row = never>(text: string): Statement<Row> {
  return define(text, false);
}

/** A statement that parts of a transaction may run beside others: see `runsBeside`. */
export function besideStatement<Row = never>(text: string): Statement<Row> {
  return define(text, true);
}

/** Every statement of the store, for the test that none reads without a bound. */
export const statements: Statement<unknown>[] = [];

function define<Row>(text: string, runsBeside: boolean): Statement<Row> {
  const writes = !text.startsWith('SELECT');
  const made = { name: `maru_${statements.length}`, text, runsBeside, writes, columns: null };
  statements.push(made);
  return made;
}
