import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isStorageFailure, storageUnavailable } from './storage-failure.ts';

/** Statements of one connection: each prepared once, each remembered so that its plan can be looked at. */
export class PreparedSql {
  readonly texts: string[] = [];
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** A question with at most one row; `Row` names the columns as the SQL does. */
  one<Row>(sql: string): Question<Row | undefined> {
    const { statement, names } = this.#question(sql);
    return (...values) => {
      // Arrays are what the statement was told to answer.
      const row = guarded(() => statement.get(...values)) as unknown[] | undefined;
      // The columns are named by the SQL beside the call; STRICT tables hold their types.
      return row === undefined ? undefined : (rowOf(names, row) as Row);
    };
  }

  /** The same for a question of every request: `Values` are its columns in their order, no object is made. */
  values<Values extends readonly unknown[]>(sql: string): Question<Values | undefined> {
    const { statement } = this.#question(sql);
    // Arrays of the columns that the SQL beside the call names; STRICT tables hold their types.
    return (...given) => guarded(() => statement.get(...given)) as Values | undefined;
  }

  many<Row>(sql: string): Question<Row[]> {
    const { statement, names } = this.#question(sql);
    return (...values) => {
      const rows = guarded(() => statement.all(...values)) as unknown as unknown[][];
      return rows.map((row) => rowOf(names, row) as Row);
    };
  }

  /** A change; answers how many rows it changed. */
  change(sql: string): (...values: SQLInputValue[]) => number {
    const statement = this.#prepare(sql);
    return (...values) => guarded(() => Number(statement.run(...values).changes));
  }

  /** An insertion; answers the id of its row. */
  insertion(sql: string): (...values: SQLInputValue[]) => number {
    const statement = this.#prepare(sql);
    return (...values) => guarded(() => Number(statement.run(...values).lastInsertRowid));
  }

  /** Rows come as arrays: making objects of sixteen columns here costs half of what SQLite takes for it. */
  #question(sql: string): { readonly statement: StatementSync; readonly names: readonly string[] } {
    const statement = this.#prepare(sql);
    statement.setReturnArrays(true);
    return { statement, names: statement.columns().map(({ name }) => name) };
  }

  #prepare(sql: string): StatementSync {
    this.texts.push(sql);
    return this.#database.prepare(sql);
  }
}

export type Question<Answer> = (...values: SQLInputValue[]) => Answer;

function rowOf(names: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) row[names[at]!] = values[at];
  return row;
}

function guarded<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isStorageFailure(error)) throw storageUnavailable(error);
    throw error;
  }
}
