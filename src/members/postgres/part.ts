import type { LedgerEntry } from '../store/erasure-ledger.ts';
import type { PostgresConnection } from './connection.ts';
import type { Statement } from './statement.ts';
import type { CallEnd } from './turn.ts';

/** Runs statements: as a part of a transaction, or each by itself. */
export interface Runner {
  one<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row | null>;
  many<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  change(statement: Statement<never>, ...values: readonly unknown[]): Promise<number>;
  /** A change whose effect the work does not wait for: a failure of it fails the part at its end. */
  run(statement: Statement<unknown>, ...values: readonly unknown[]): Promise<void>;
  /** Adds `count` to the row of a key, at the end of the transaction and once for all of its parts. */
  add(statement: Statement<never>, key: readonly unknown[], count: number): void;
  /** Takes something for this part until its work has ended. True if another part had it: then it may have changed. */
  claim(claimed: string): boolean | Promise<boolean>;
  /** Gives an erasure to the ledger, before the transaction is acknowledged. */
  noteErased(entry: LedgerEntry): void;
  /** Ids for the next rows of this part: with them it need not wait for its insertions. */
  readonly nextIds: NextIds;
}

interface NextIds {
  member: number | null;
  membership: number | null;
}

/** Inserts a row with the next id of its table, or waits for the id that the server gives it. */
export async function insertRow(
  runner: Runner,
  table: keyof NextIds,
  insert: Statement<{ readonly id: number }>,
  values: readonly unknown[],
): Promise<number> {
  const id = runner.nextIds[table];
  if (id === null) return (await runner.one(insert, null, ...values))!.id;
  runner.nextIds[table] = null;
  await runner.run(insert, id, ...values);
  return id;
}

/** Reads a row and claims what it is about; reads again if another part had that. */
export async function readClaimed<Row>(
  runner: Runner,
  read: () => Promise<Row | null>,
  claimOf: (row: Row) => string,
): Promise<Row | null> {
  for (;;) {
    const row = await read();
    if (row === null) return null;
    const hasWaited = runner.claim(claimOf(row));
    if (hasWaited === false || !(await hasWaited)) return row;
  }
}

/** Additions to a row by one statement, by its key. */
export interface Addition {
  readonly statement: Statement<never>;
  readonly key: readonly unknown[];
  readonly count: number;
}

/** Claims of the parts of a transaction that run side by side. */
export type Claims = Map<string, TransactionPart[]>;

/**
 * One run of a work, as a part of a transaction. Parts that run beside others run only statements made for that, on what
 * they have claimed: the effect is that of running one after another, those that claim the same in their order. A part
 * that meets any other statement leaves, and runs again by itself; so do later ones that claim the same. One that would
 * wait for many before it is postponed to the next transaction, so that no transaction lasts long.
 */
export class TransactionPart implements Runner, CallEnd {
  readonly erased: LedgerEntry[] = [];
  readonly additions: Addition[] = [];
  readonly claimed: string[] = [];
  readonly nextIds: NextIds = { member: null, membership: null };
  readonly #connection: PostgresConnection;
  readonly #order: number;
  /** Null for a part that runs by itself. */
  readonly #claims: Claims | null;
  /** Settled at the end, for the parts that wait for it. */
  #done: PromiseWithResolvers<void> | null = null;
  /** Number of changes without a result, and the end of the wait for them. */
  #unsettled = 0;
  #allSettled: (() => void) | null = null;
  #state: 'running' | 'ended' | 'left' | 'postponed' = 'running';
  #hasWritten = false;
  #failure: unknown = null;

  constructor(connection: PostgresConnection, order: number, claims: Claims | null) {
    this.#connection = connection;
    this.#order = order;
    this.#claims = claims;
  }

  /** True if undoing its effects would also undo the effects of the parts beside it. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** True if the work must run again: by itself, or in the next transaction. */
  get hasLeft(): boolean {
    return this.#state === 'left' || this.#state === 'postponed';
  }

  /** True if the work must run again in the next transaction. */
  get isPostponed(): boolean {
    return this.#state === 'postponed';
  }

  /** Error of a statement; the transaction has failed with it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Runs the work and waits for its statements. Never rejects. */
  async outcome<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
    let outcome: Outcome<Result>;
    try {
      outcome = { value: await work() };
    } catch (error) {
      outcome = { error };
    }
    if (this.#unsettled > 0) await new Promise<void>((resolve) => (this.#allSettled = resolve));
    if (this.#state === 'running') this.#state = 'ended';
    this.#done?.resolve();
    return this.#failure === null || 'error' in outcome ? outcome : { error: this.#failure };
  }

  async one<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row | null> {
    return (await this.#send(statement, values)).rows[0] ?? null;
  }

  async many<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row[]> {
    return (await this.#send(statement, values)).rows;
  }

  async change(statement: Statement<never>, ...values: readonly unknown[]): Promise<number> {
    return (await this.#send(statement, values)).count;
  }

  run(statement: Statement<unknown>, ...values: readonly unknown[]): Promise<void> {
    this.#requireTurn(statement);
    this.#hasWritten ||= statement.writes;
    // Settled before the part ends, where its failure counts.
    this.#unsettled++;
    this.#connection.send(statement, values, this, this);
    return Promise.resolve();
  }

  /** Takes the end of a change that the work does not wait for. */
  resolve(): void {
    if (--this.#unsettled === 0) this.#allSettled?.();
  }

  /** Takes the failure of such a change. */
  reject(error: unknown): void {
    this.#failure ??= error;
    this.resolve();
  }

  add(statement: Statement<never>, key: readonly unknown[], count: number): void {
    this.additions.push({ statement, key, count });
  }

  claim(claimed: string): boolean | Promise<boolean> {
    if (this.#claims === null) return false;
    if (this.hasLeft) throw this.leave();
    // Later parts wait for this one, and an earlier one makes it leave.
    if (this.claimed.includes(claimed)) return false;
    if (this.#claims.has(claimed)) return this.#claimInTurn(this.#claims, claimed);
    this.#claims.set(claimed, [this]);
    this.claimed.push(claimed);
    return false;
  }

  /** Claims what others have claimed too, when the earlier of them have ended. */
  async #claimInTurn(claims: Claims, claimed: string): Promise<boolean> {
    for (let hasWaited = false; ; hasWaited = true) {
      if (this.hasLeft) throw this.leave();
      const others = claims.get(claimed) ?? [];
      for (const other of others) if (other.#order > this.#order) other.leave();
      const earlier = others.filter((other) => other.#order < this.#order);
      const isLate = earlier.length >= chainMax || earlier.some((other) => other.isPostponed);
      if (isLate) throw this.leave('postponed');
      if (earlier.some((other) => other.hasLeft)) throw this.leave();
      const running = earlier.find((other) => other.#state === 'running');
      if (running === undefined) {
        claims.set(claimed, [...others.filter((other) => other !== this), this]);
        this.claimed.push(claimed);
        return hasWaited;
      }
      // Parts wait for earlier ones only, so that none waits for itself.
      await (running.#done ??= Promise.withResolvers<void>()).promise;
    }
  }

  noteErased(entry: LedgerEntry): void {
    this.erased.push(entry);
  }

  #requireTurn({ runsBeside }: Statement<unknown>): void {
    // A work may catch the error by which it left.
    if (this.hasLeft || (this.#claims !== null && !runsBeside)) throw this.leave();
  }

  /** Makes the work run again; returns the error by which it ends. */
  leave(to: 'left' | 'postponed' = 'left'): Error {
    if (this.#state !== 'postponed') this.#state = to;
    return new Error('The work runs again.');
  }

  async #send<Row>(statement: Statement<Row>, values: readonly unknown[]) {
    this.#requireTurn(statement);
    this.#hasWritten ||= statement.writes;
    try {
      return await this.#connection.run(statement, values, this);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
}

/** Most parts of a transaction that claim the same, one after another. */
const chainMax = 8;

export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };
