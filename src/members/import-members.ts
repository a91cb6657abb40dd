import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { audit, type Operator } from './audit.ts';
import { resultOrProblem } from './batch.ts';
import type { MemberContext } from './context.ts';
import { registerUser, type RegisterAnswer } from './register.ts';
import type { Platform } from './store/entities.ts';
import type { MemberStore } from './store/store.ts';

/** A row of an import: the body of a registration, or the reason why it could not be read. */
export type ImportRow = ReadRow | RefusedRow;

interface ReadRow {
  /** Line of the file that the row starts on, from 1. */
  readonly line: number;
  /** As the body of `POST /members/register`; `platform` may be left out. */
  readonly body: JsonObject;
}

/** A row that did not go in. */
export interface RefusedRow {
  readonly line: number;
  /** The row; its text if it could not be read, null if that is too long. */
  readonly row: JsonObject | string | null;
  readonly code: string;
  readonly message: string;
}

/** Number of rows by their outcome. */
export interface ImportReport {
  readonly rows: number;
  /** Rows that made a new member. */
  readonly created: number;
  /** Rows that joined the member of another platform. */
  readonly linked: number;
  /** Rows that were linked before. */
  readonly known: number;
  readonly refused: number;
  /** Refused rows by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Warnings of the other rows by code. */
  readonly warnings: Readonly<Record<string, number>>;
}

export interface ImportOptions {
  readonly platform: Platform;
  readonly operator: Operator;
  /** Time of the data, as `requested_at` of rows without one: later moves, departures and erasures stay as they are. */
  readonly asOf: number;
  /** True to judge each row by itself and store nothing. */
  readonly isDryRun: boolean;
  /** True to send `member.created` and `member.linked` to webhooks. */
  readonly announces: boolean;
  readonly signal: AbortSignal;
  readonly onRefused: (row: RefusedRow) => void;
  readonly onProgress: (report: ImportReport) => void;
}

/**
 * Registers the rows of a file in order, by the rules of `register`. A known row changes nothing, so that the same import
 * resumes one that was killed. Throws the reason of the signal, and a `Problem` if the store fails; the reported rows
 * stay stored.
 */
export async function importMembers(
  opened: MemberContext,
  rows: AsyncIterable<readonly ImportRow[]>,
  options: ImportOptions,
): Promise<ImportReport> {
  const { platform, isDryRun, announces, signal } = options;
  const store = isDryRun ? withoutCommits(opened.store) : opened.store;
  const context = { ...opened, store, isQuiet: !announces };
  const tally = new Tally();
  await note(context, options, 'import_started', { platform: platform.code });
  for await (const read of rows) {
    for (let from = 0; from < read.length && !signal.aborted; from += groupRows) {
      const startedAt = performance.now();
      const group = read.slice(from, from + groupRows);
      for (const outcome of await outcomesOf(context, group, options)) {
        tally.add(outcome);
        if ('code' in outcome) options.onRefused(outcome);
      }
      options.onProgress(tally.report());
      // Requests of a running server write meanwhile.
      await delay((performance.now() - startedAt) * restShare);
    }
    if (signal.aborted) break;
  }
  await note(context, options, signal.aborted ? 'import_stopped' : 'import_ended', tally.report());
  signal.throwIfAborted();
  return tally.report();
}

/** Rows of one transaction: more wait longer for a server that writes, and make it wait longer. */
const groupRows = 128;
/** Time between two transactions, as a part of the time of one. */
const restShare = 0.2;

/**
 * Registers the rows together. While the store is unavailable those that failed are tried again: a server that writes much
 * can hold its lock for seconds.
 */
async function outcomesOf(
  context: MemberContext,
  group: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly (RegisterAnswer | RefusedRow)[]> {
  const outcomes = new Map<ImportRow, RegisterAnswer | RefusedRow>();
  for (let attempt = 1; outcomes.size < group.length; attempt++) {
    const waiting = group.filter((row) => !outcomes.has(row));
    const settled = await Promise.allSettled(
      waiting.map(async (row) => outcomes.set(row, await outcomeOf(context, row, options))),
    );
    for (const result of settled) {
      if (result.status === 'fulfilled') continue;
      const { reason } = result;
      const isPassing = reason instanceof Problem && reason.code === 'storage_unavailable';
      if (!isPassing || attempt === attemptsMax || options.signal.aborted) throw reason;
    }
    if (outcomes.size < group.length) await delay(attempt * 100);
  }
  // Every row has its outcome by now.
  return group.map((row) => outcomes.get(row)!);
}

const attemptsMax = 10;

async function outcomeOf(
  context: MemberContext,
  row: ImportRow,
  { platform, operator, asOf }: ImportOptions,
): Promise<RegisterAnswer | RefusedRow> {
  if ('code' in row) return row;
  const { line, body } = row;
  const named = body['platform'] ?? platform.code;
  if (named !== platform.code) return refused(line, body, otherPlatform);
  const dated = { ...body, requested_at: body['requested_at'] ?? new Date(asOf).toISOString() };
  const answer = await resultOrProblem(registerUser(context, platform, operator, dated));
  if (answer instanceof Problem) {
    return refused(line, body, { code: answer.code, message: answer.message });
  }
  const conflict = answer.warnings.find(({ code }) => conflicts.has(code));
  if (conflict === undefined) return answer;
  return refused(line, body, { code: conflict.code, message: conflict.message.en });
}

function refused(
  line: number,
  row: JsonObject,
  reason: Pick<RefusedRow, 'code' | 'message'>,
): RefusedRow {
  return { line, row, ...reason };
}

/** Warnings of a row whose address or local id was not linked as given. */
const conflicts: ReadonlySet<string> = new Set(['local_user_id_mismatch', 'registration_outdated']);

const otherPlatform = {
  code: 'platform_mismatch',
  message: 'The row names another platform than the command.',
};

class Tally {
  #rows = 0;
  #created = 0;
  #linked = 0;
  #refused = 0;
  readonly #refusals = new Map<string, number>();
  readonly #warnings = new Map<string, number>();

  add(outcome: RegisterAnswer | RefusedRow): void {
    this.#rows += 1;
    if ('code' in outcome) {
      this.#refused += 1;
      increment(this.#refusals, outcome.code);
      return;
    }
    this.#created += Number(outcome.created);
    this.#linked += Number(outcome.linked);
    for (const code of new Set(outcome.warnings.map((warning) => warning.code))) {
      increment(this.#warnings, code);
    }
  }

  report(): ImportReport {
    return {
      rows: this.#rows,
      created: this.#created,
      linked: this.#linked,
      known: this.#rows - this.#created - this.#linked - this.#refused,
      refused: this.#refused,
      refusals: Object.fromEntries(this.#refusals),
      warnings: Object.fromEntries(this.#warnings),
    };
  }
}

function increment(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

function note(
  context: MemberContext,
  { platform, operator }: ImportOptions,
  action: string,
  detail: object,
): Promise<void> {
  const entry = { action, subject: platform.code, detail: { ...detail } };
  return context.store.write((tx) => audit(context, tx, operator, entry));
}

/** The store, but every write is undone. */
function withoutCommits(store: MemberStore): MemberStore {
  return {
    read: store.read,
    async write(work) {
      const results: Awaited<ReturnType<typeof work>>[] = [];
      const undone = new Error('undone');
      try {
        await store.write(async (tx) => {
          results.push(await work(tx));
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw error;
      }
      // It is there: `undone` is thrown after it was added.
      return results[0]!;
    },
    activity: (query) => store.activity(query),
    funnel: (query) => store.funnel(query),
    scrub: () => store.scrub(),
    backup: (path) => store.backup(path),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
