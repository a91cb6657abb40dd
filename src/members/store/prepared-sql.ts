import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isStorageFailure, storageUnavailable } from '../../kernel/storage-failure.ts';

/**
 * Statements of one connection, each prepared at its first use: a command uses a few of some two hundred. Their texts
 * are kept, so that a test can check the plan of each.
 */
export class PreparedSql {
  readonly texts: string[] = [];
  readonly #database: DatabaseSync;
  readonly #additions: Additions[] = [];
  #writes = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Number of statements so far that could change rows. */
  get writes(): number {
    return this.#writes;
  }

  /** A query of at most one row; `Row` names the columns as the SQL does. */
  one<Row>(sql: string): Statement<Row | null> {
    const query = this.#query(sql);
    return (...values) =>
      guarded(() => {
        const { statement, columns } = query();
        // Statements return arrays by `setReturnArrays`.
        const row = statement.get(...values) as unknown[] | undefined;
        // The SQL beside the call names the columns; STRICT tables guarantee their types.
        return row === undefined ? null : (rowOf(columns, row) as Row);
      });
  }

  /** Like `one`, for queries of every request: returns the columns in their order and makes no object. */
  values<Values extends readonly unknown[]>(sql: string): Statement<Values | null> {
    const query = this.#query(sql);
    // The SQL beside the call orders the columns; STRICT tables guarantee their types.
    return (...values) =>
      guarded(() => (query().statement.get(...values) as Values | undefined) ?? null);
  }

  many<Row>(sql: string): Statement<Row[]> {
    const query = this.#query(sql);
    return (...values) =>
      guarded(() => {
        const { statement, columns } = query();
        const rows = statement.all(...values) as unknown as unknown[][];
        return rows.map((row) => rowOf(columns, row) as Row);
      });
  }

  /** A change; returns the number of changed rows. */
  change(sql: string): Statement<number> {
    const statement = this.#prepare(sql);
    return (...values) => guarded(() => Number(this.#run(statement(), values).changes));
  }

  /** An insertion; returns the id of the row. */
  insertion(sql: string): Statement<number> {
    const statement = this.#prepare(sql);
    return (...values) => guarded(() => Number(this.#run(statement(), values).lastInsertRowid));
  }

  /** An addition to the row of a key, as the last value. Those with the same key are one, made by `writeAdditions`. */
  addition(sql: string): (key: readonly number[], added: number) => void {
    const sums: Additions['sums'] = new Map();
    this.#additions.push({ add: this.change(sql), sums });
    return (key, added) => {
      this.#writes++;
      const name = key.join(' ');
      const sum = sums.get(name);
      if (sum === undefined) sums.set(name, { key, added });
      else sum.added += added;
    };
  }

  /** Makes the additions since the last time, before their transaction ends. */
  writeAdditions(): void {
    for (const { add, sums } of this.#additions) {
      for (const { key, added } of sums.values()) add(...key, added);
    }
    this.dropAdditions();
  }

  /** Forgets the additions of work that was undone. */
  dropAdditions(): void {
    for (const { sums } of this.#additions) sums.clear();
  }

  #run(statement: StatementSync, values: SQLInputValue[]) {
    this.#writes++;
    return statement.run(...values);
  }

  /** Rows are read as arrays: making objects here takes half the time that `node:sqlite` takes for it. */
  #query(sql: string): () => Query {
    const prepare = this.#prepare(sql);
    return memoize(() => {
      const statement = prepare();
      statement.setReturnArrays(true);
      return { statement, columns: statement.columns().map(({ name }) => name) };
    });
  }

  #prepare(sql: string): () => StatementSync {
    this.texts.push(sql);
    return memoize(() => this.#database.prepare(sql));
  }
}

interface Query {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/** Additions by one statement that are not written yet, by key. */
interface Additions {
  readonly add: Statement<number>;
  readonly sums: Map<string, { readonly key: readonly number[]; added: number }>;
}

function memoize<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}

/** Runs a prepared statement with the values of its parameters. */
type Statement<Result> = (...values: SQLInputValue[]) => Result;

function rowOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) row[columns[at]!] = values[at];
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
