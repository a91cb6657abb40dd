import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { audit, type Operator } from './audit.ts';
import { resultOrProblem } from './batch.ts';
import type { MemberContext } from './context.ts';
import { registerIn, registrationOf, type RegisterAnswer } from './register.ts';
import type { Registration } from './registration.ts';
import type { Platform } from './store/entities.ts';
import type { MemberStore, MemberTransaction } from './store/store.ts';

/** A row of an import: the body of a registration, or the reason why it could not be read. */
export type ImportRow = ReadRow | RefusedRow;

interface ReadRow {
  /** Line of the file that the row starts on, from 1. */
  readonly line: number;
  /** As the body of `POST /members/register`; `platform` may be left out. */
  readonly body: JsonObject;
}

/** A row that was not imported. */
export interface RefusedRow {
  readonly line: number;
  /** The row; its text if it could not be read, or null if the text is too long. */
  readonly row: JsonObject | string | null;
  readonly code: string;
  readonly message: string;
}

/** Number of rows by their outcome. */
export interface ImportReport {
  readonly rows: number;
  /** Rows for which a member was created. */
  readonly created: number;
  /** Rows that were linked to the member of another platform. */
  readonly linked: number;
  /** Rows that were registered already. */
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
  /** Time of the data: `requested_at` of rows without one. Later moves, departures and erasures take precedence. */
  readonly asOf: number;
  /** True to try each row separately and store nothing. */
  readonly isDryRun: boolean;
  /** True to send `member.created` and `member.linked` to webhooks. */
  readonly sendsWebhooks: boolean;
  readonly signal: AbortSignal;
  readonly onRefused: (row: RefusedRow) => void;
  readonly onProgress: (report: ImportReport) => void;
}

/**
 * Registers the rows of a file in order, by the rules of `register`. A row that is registered already changes nothing,
 * so a killed import is resumed by repeating it. Throws the reason of the signal, and a `Problem` if the store fails;
 * the reported rows stay stored.
 */
export async function importMembers(
  serviceContext: MemberContext,
  rows: AsyncIterable<readonly ImportRow[]>,
  options: ImportOptions,
): Promise<ImportReport> {
  const { platform, isDryRun, sendsWebhooks, signal } = options;
  const store = isDryRun ? withoutCommits(serviceContext.store) : serviceContext.store;
  const context = { ...serviceContext, store, isQuiet: !sendsWebhooks };
  const tally = new Tally();
  await auditImport(context, options, 'import_started', { platform: platform.code });
  let pause: Promise<unknown> | null = null;
  for await (const read of rows) {
    let checked: (CheckedRow | RefusedRow)[] = [];
    for (let next = 0; next < read.length && !signal.aborted;) {
      // Rows of the last group that did not fit into its transaction are checked already.
      const unchecked = read.slice(next + checked.length, next + groupRows);
      checked.push(...(await Promise.all(unchecked.map((row) => checkRow(context, row, options)))));
      await pause;
      const outcomes = await (isDryRun ? tryRows : storeRows)(context, checked, options);
      // Meanwhile a running server, which retries every millisecond, can write.
      pause = delay(pauseMs);
      next += outcomes.length;
      checked = checked.slice(outcomes.length);
      for (const outcome of outcomes) {
        tally.add(outcome);
        if ('code' in outcome) options.onRefused(outcome);
      }
      options.onProgress(tally.report());
    }
    if (signal.aborted) break;
  }
  const ending = signal.aborted ? 'import_stopped' : 'import_ended';
  await auditImport(context, options, ending, tally.report());
  signal.throwIfAborted();
  return tally.report();
}

/** A row to register. */
interface CheckedRow extends ReadRow {
  readonly registration: Registration;
}

async function checkRow(
  context: MemberContext,
  row: ImportRow,
  { platform, asOf }: ImportOptions,
): Promise<CheckedRow | RefusedRow> {
  if ('code' in row) return row;
  const { line, body } = row;
  if ((body['platform'] ?? platform.code) !== platform.code) {
    return refused(line, body, otherPlatform);
  }
  const dated = { ...body, requested_at: body['requested_at'] ?? new Date(asOf).toISOString() };
  const registration = await resultOrProblem(registrationOf(context, platform, dated));
  if (registration instanceof Problem) return refused(line, body, registration);
  return { ...row, registration };
}

/** Registers each row in its own transaction, which the store of a dry run undoes. */
async function tryRows(
  context: MemberContext,
  rows: readonly (CheckedRow | RefusedRow)[],
  options: ImportOptions,
): Promise<readonly (RegisterAnswer | RefusedRow)[]> {
  const outcomes: (RegisterAnswer | RefusedRow)[] = [];
  for (const row of rows) outcomes.push(...(await storeRows(context, [row], options)));
  return outcomes;
}

/** Stores as many of the first rows as one transaction has time for, and returns their outcomes. */
async function storeRows(
  context: MemberContext,
  rows: readonly (CheckedRow | RefusedRow)[],
  options: ImportOptions,
): Promise<readonly (RegisterAnswer | RefusedRow)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.store.write(async (tx) => {
        const outcomes: (RegisterAnswer | RefusedRow)[] = [];
        const endsAt = performance.now() + groupMs;
        for (const row of rows) {
          outcomes.push('code' in row ? row : await registerRow(tx, context, row, options));
          if (performance.now() > endsAt) break;
        }
        return outcomes;
      });
    } catch (error) {
      // A server that writes much can hold the lock of the store for seconds.
      const isTransient = error instanceof Problem && error.code === 'storage_unavailable';
      if (!isTransient || attempt === attemptsMax || options.signal.aborted) throw error;
      await delay(attempt * 100);
    }
  }
}

/** Rows of one transaction, and its time before the commit. A running server waits that long to write. */
const groupRows = 256;
const groupMs = 20;
/** Time between two transactions. */
const pauseMs = 3;
const attemptsMax = 10;

async function registerRow(
  tx: MemberTransaction,
  context: MemberContext,
  { line, body, registration }: CheckedRow,
  { platform, operator }: ImportOptions,
): Promise<RegisterAnswer | RefusedRow> {
  // A refused registration has written nothing, so the rows before it stay in the transaction.
  const answer = await resultOrProblem(registerIn(tx, context, operator, platform, registration));
  if (answer instanceof Problem) return refused(line, body, answer);
  const conflict = answer.warnings.find(({ code }) => conflicts.has(code));
  if (conflict === undefined) return answer;
  return refused(line, body, { code: conflict.code, message: conflict.message.en });
}

function refused(
  line: number,
  row: JsonObject,
  { code, message }: Pick<RefusedRow, 'code' | 'message'>,
): RefusedRow {
  return { line, row, code, message };
}

/** Warnings that refuse a row, since its address and local id were not linked with each other. */
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

function auditImport(
  context: MemberContext,
  { platform, operator }: ImportOptions,
  action: string,
  detail: object,
): Promise<void> {
  const entry = { action, subject: platform.code, detail: { ...detail } };
  return context.store.write((tx) => audit(context, tx, operator, entry));
}

/** The same store, except that every write is undone. */
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
      // Not undefined: `undone` is thrown only after a result was added. The last run counts.
      return results.at(-1)!;
    },
    activity: (query) => store.activity(query),
    funnel: (query) => store.funnel(query),
    scrub: () => store.scrub(),
    backup: (path) => store.backup(path),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
