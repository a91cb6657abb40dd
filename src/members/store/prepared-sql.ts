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
    const statement = this.#prepare(sql);
    // The columns are named by the SQL beside the call; STRICT tables hold their types.
    return (...values) => guarded(() => statement.get(...values) as Row | undefined);
  }

  many<Row>(sql: string): Question<Row[]> {
    const statement = this.#prepare(sql);
    return (...values) => guarded(() => statement.all(...values) as Row[]);
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

  #prepare(sql: string): StatementSync {
    this.texts.push(sql);
    return this.#database.prepare(sql);
  }
}

export type Question<Answer> = (...values: SQLInputValue[]) => Answer;

function guarded<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isStorageFailure(error)) throw storageUnavailable(error);
    throw error;
  }
}
