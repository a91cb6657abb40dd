import { Problem } from '../../kernel/problem.ts';
import { outcomeUnknown, storageUnavailable } from '../../kernel/storage-failure.ts';
import type { LedgerEntry } from '../store/erasure-ledger.ts';
import { overloaded } from '../store/group-commit.ts';
import type { PostgresConnection } from './connection.ts';
import { isFollowUp, isRefusal, isStoreFailure } from './failure.ts';
import { TransactionPart, type Addition, type Claims, type Outcome, type Runner } from './part.ts';
import type { ReconnectingConnection } from './reconnecting.ts';

/**
 * One transaction, and one wait for the disk and the standby, for all work that arrives in a turn of the event loop. Of
 * all processes one at a time writes, by a lock that ends with the transaction. Within it, parts run beside each other,
 * so that each wait for the server serves all of them; a part that cannot runs by itself after the others.
 */
export class GroupTransactions {
  readonly #connection: ReconnectingConnection;
  readonly #bounds: GroupBounds;
  #queue: QueuedWork[] = [];
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(connection: ReconnectingConnection, bounds: GroupBounds) {
    this.#connection = connection;
    this.#bounds = bounds;
  }

  /**
   * Refuses with `overloaded` if the queue is full, `storage_unavailable` if the server cannot be used or the turn comes
   * too late, and `outcome_unknown` if the commit gets no answer.
   */
  run<Result>(work: (runner: Runner) => Promise<Result>): Promise<Committed<Result>> {
    if (this.#closed) return Promise.reject(storageUnavailable(new Error('The store is closed.')));
    if (this.#queue.length >= this.#bounds.queueMax) return Promise.reject(overloaded());
    const result = new Promise<Committed<Result>>((resolve, reject) => {
      // `QueuedWork` drops the type of the result, which only this pair of functions uses.
      const settle = resolve as (value: Committed<unknown>) => void;
      this.#queue.push({ work, resolve: settle, reject, since: performance.now(), left: null });
    });
    this.#running ??= this.#drain();
    return result;
  }

  /** Finishes the queued work and refuses new work. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#connection.close();
  }

  async #drain(): Promise<void> {
    const watch = setInterval(() => this.#refuseLate(), watchEveryMs);
    while (this.#queue.length > 0) {
      await this.#gather();
      await this.#runGroup();
    }
    clearInterval(watch);
    this.#running = null;
  }

  /** Waits until a turn of the event loop brings no more work: clients that were answered together call together. */
  async #gather(): Promise<void> {
    const end = performance.now() + gatherMs;
    for (let size = 0; size < this.#queue.length && performance.now() < end;) {
      size = this.#queue.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Runs the first works of the queue, which stay in it until there is a connection. */
  async #runGroup(): Promise<void> {
    let group: readonly QueuedWork[] = this.#queue;
    try {
      const connection = await this.#connection.connected();
      group = this.#queue.splice(0, this.#bounds.groupMax);
      // All may have waited too long for the connection.
      if (group.length === 0) return;
      const ends = await commitGroup(connection, group);
      this.#queue.unshift(...group.filter((queued) => !ends.has(queued)));
      for (const [queued, ended] of ends) settle(queued, ended);
    } catch (error) {
      const refusal = error instanceof Problem ? error : storageUnavailable(error);
      if (group === this.#queue) this.#queue = [];
      for (const { reject } of group) reject(refusal);
    }
  }

  /** Refuses the works that have waited too long. Nothing of them is in a transaction. */
  #refuseLate(): void {
    const latest = performance.now() - this.#bounds.waitMs;
    // Postponed works, which come first, are the oldest.
    const end = this.#queue.findIndex(({ since }) => since > latest);
    const late = this.#queue.splice(0, end === -1 ? this.#queue.length : end);
    const refusal = storageUnavailable(new Error('The turn to write came too late.'));
    for (const { reject } of late) reject(refusal);
  }
}

/** A result after its commit, with what the ledger of erasures must have. */
interface Committed<Result> {
  readonly value: Result;
  readonly erased: readonly LedgerEntry[];
}

export interface GroupBounds {
  /** Longest queue of writes. */
  readonly queueMax: number;
  /** Most writes in one transaction, which bounds the wait of the others. */
  readonly groupMax: number;
  /** Longest wait of a write for its transaction. */
  readonly waitMs: number;
}

const watchEveryMs = 100;

/** Longest time in which a group grows, about that of a sync to a quick disk. */
const gatherMs = 2;

/** Most works of a transaction that run by themselves. */
const aloneMax = 64;

/** Attempts to run the rest of a group side by side. */
const attemptsBeside = 2;

interface QueuedWork {
  readonly work: (runner: Runner) => Promise<unknown>;
  readonly resolve: (result: Committed<unknown>) => void;
  readonly reject: (reason: unknown) => void;
  /** Its arrival, on the monotonic clock. */
  readonly since: number;
  /** The part that showed that the work cannot run beside others. */
  left: TransactionPart | null;
}

interface End {
  /** The part whose effects stay; null for a work that was refused. */
  readonly part: TransactionPart | null;
  readonly outcome: Outcome<unknown>;
}

type Ends = ReadonlyMap<QueuedWork, End>;

function settle({ resolve, reject }: QueuedWork, { part, outcome }: End): void {
  if ('error' in outcome) reject(outcome.error);
  else resolve({ value: outcome.value, erased: part?.erased ?? [] });
}

/** Runs a group in a transaction and commits it. Work without an end runs in the next one. */
async function commitGroup(
  connection: PostgresConnection,
  group: readonly QueuedWork[],
): Promise<Ends> {
  try {
    for (let number = 1; ; number++) {
      // Each attempt finds at least one that was in the way; many would take many attempts.
      const ends = await attempt(connection, group, number <= attemptsBeside);
      if (ends === null) continue;
      const parts = [...ends.values()].flatMap(({ part }) => part ?? []);
      const additions = parts.flatMap((part) => part.additions);
      // Sent with the commit, which fails with them.
      addAll(connection, additions).catch(() => {});
      const committed = commit(connection);
      // The end of a group that has only read stores nothing, and all that it read was confirmed before.
      if (additions.length === 0 && !parts.some(({ hasWritten }) => hasWritten)) {
        committed.catch(() => connection.destroy());
      } else await committed;
      return ends;
    }
  } catch (error) {
    // A connection that stays in its transaction would keep the lock.
    connection.destroy();
    throw error;
  }
}

/**
 * Runs a group in a transaction that stays open; null if it was undone, because of work that runs by itself from now on.
 * Work without an end runs in the next transaction.
 */
async function attempt(
  connection: PostgresConnection,
  group: readonly QueuedWork[],
  isBeside: boolean,
): Promise<Ends | null> {
  const begun = Promise.all([connection.execute('BEGIN'), connection.execute(takeTurn)]);
  // Statements are sent with it, and fail with it.
  begun.catch(() => {});
  const ends = new Map<QueuedWork, End>();
  const isUndone = isBeside && !(await runBeside(connection, group, ends));
  await begun;
  if (isUndone) {
    await connection.execute('ROLLBACK');
    return null;
  }
  const left = group.filter((queued) => queued.left !== null || !isBeside);
  const alone = left.filter((queued) => queued.left?.isPostponed !== true);
  for (const queued of alone.slice(0, aloneMax))
    ends.set(queued, await runAlone(connection, queued));
  for (const queued of left) queued.left = null;
  return ends;
}

/** Runs work side by side. False if the transaction must be undone. */
async function runBeside(
  connection: PostgresConnection,
  group: readonly QueuedWork[],
  ends: Map<QueuedWork, End>,
): Promise<boolean> {
  const claims: Claims = new Map();
  // Work that has left in an attempt before comes before the later work that claims the same.
  for (const { left } of group) {
    for (const claimed of left?.claimed ?? []) {
      claims.set(claimed, [...(claims.get(claimed) ?? []), left!]);
    }
  }
  const runs = group.map(async (queued, order) => {
    if (queued.left !== null) return null;
    const part = new TransactionPart(connection, order, claims);
    return { queued, part, outcome: await part.outcome(() => queued.work(part)) };
  });
  let isUndone = false;
  for (const run of await Promise.all(runs)) {
    if (run === null) continue;
    const { queued, part, outcome } = run;
    const { failure, hasLeft } = part;
    if (isStoreFailure(failure)) throw failure;
    const isRefused = 'error' in outcome;
    // Its writes cannot be undone without those beside it.
    const isInTheWay = (isRefused || hasLeft) && part.hasWritten;
    if (isInTheWay || failure !== null) isUndone = true;
    const isAtFault = failure === null ? isInTheWay : !isFollowUp(failure);
    if (hasLeft || isAtFault) {
      part.leave();
      queued.left = part;
    } else ends.set(queued, { part: isRefused ? null : part, outcome });
  }
  return !isUndone;
}

/** Runs work in a savepoint: an error undoes its own writes only. */
async function runAlone(connection: PostgresConnection, { work }: QueuedWork): Promise<End> {
  const part = new TransactionPart(connection, 0, null);
  const begun = connection.execute('SAVEPOINT part');
  const outcome = await part.outcome(() => work(part));
  await begun;
  if (isStoreFailure(part.failure)) throw part.failure;
  if (!('error' in outcome)) {
    await connection.execute('RELEASE part');
    return { part, outcome };
  }
  const { error } = outcome;
  if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
  await Promise.all([connection.execute('ROLLBACK TO part'), connection.execute('RELEASE part')]);
  return { part: null, outcome };
}

/** Commits. Without an answer of the server the writes may be stored: the problem is `outcome_unknown`. */
async function commit(connection: PostgresConnection): Promise<void> {
  connection.takeNotices();
  let command: string;
  try {
    command = await connection.execute('COMMIT');
  } catch (error) {
    throw isRefusal(error) ? storageUnavailable(error) : outcomeUnknown(error);
  }
  if (command !== 'COMMIT') throw storageUnavailable(new Error('The server rolled back.'));
  if (!connection.takeNotices().includes(waitCancelled)) return;
  throw outcomeUnknown(new Error('The wait for the standby was cancelled.'));
}

/** Any constant serves as the number of the lock; this one is the bytes of `maru`. */
const takeTurn = 'SELECT pg_advisory_xact_lock(1835102837)';

/** Warning of a commit whose wait for the standby was cancelled: others see it, and a fail-over may lose it. */
const waitCancelled = '01000';

/** Runs additions, those with the same key as one. */
async function addAll(
  connection: PostgresConnection,
  additions: readonly Addition[],
): Promise<void> {
  const sums = new Map<string, Addition>();
  for (const { statement, key, count } of additions) {
    const name = [statement.name, ...key].join(' ');
    const sum = sums.get(name)?.count ?? 0;
    sums.set(name, { statement, key, count: sum + count });
  }
  await Promise.all(
    Array.from(sums.values(), ({ statement, key, count }) =>
      connection.run(statement, [...key, count]),
    ),
  );
}
