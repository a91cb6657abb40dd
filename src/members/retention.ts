import { dayMs } from '../data/korean-time.ts';
import type { MemberContext } from './context.ts';
import { Problem } from '../kernel/problem.ts';
import { markSealedRemoved, sealAudit } from './seal-audit.ts';
import type { JobRun } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/** Days after which data is deleted. */
export interface RetentionPolicy {
  /** For journey events; null keeps them. Totals and activity stay in any case. */
  readonly eventDays: number | null;
  /** For webhook messages that are delivered, given up, or waiting for an endpoint that is disabled. */
  readonly webhookDays: number;
  /** For rows of sealed segments of the audit log; null keeps them. */
  readonly auditDays: number | null;
  /** For the access log of operators; null keeps it. */
  readonly accessLogDays: number | null;
}

export const retentionDefaults: RetentionPolicy = {
  eventDays: null,
  webhookDays: 30,
  auditDays: null,
  accessLogDays: 731,
};

/**
 * Takes the next run for this process; false if any process started one within the hour. So one of several processes
 * runs it, and if that one dies, another does an hour later.
 */
export async function takeRetention({ store, now }: MemberContext): Promise<boolean> {
  if (isRecent(await store.read.jobs.all(), now())) return false;
  return store.write(async ({ jobs: runs }) => {
    if (isRecent(await runs.all(), now())) return false;
    await runs.put({
      name: firstJob,
      startedAt: now(),
      finishedAt: null,
      removed: 0,
      failure: null,
    });
    return true;
  });
}

/** True if a run started within the hour. A start in the future was stored while the clock was ahead. */
function isRecent(runs: readonly JobRun[], now: number): boolean {
  return runs.some(({ startedAt }) => startedAt <= now && now - startedAt < retainEveryMs);
}

/** Runs every job once and stores each run for the operator. A job that fails does not stop the others. */
export async function runRetention(
  context: MemberContext,
  policy: RetentionPolicy = retentionDefaults,
): Promise<readonly JobRun[]> {
  const runs: JobRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    const startedAt = context.now();
    const ended = await attempt(() => job(context, policy));
    const run = { name, startedAt, finishedAt: context.now(), ...ended };
    await context.store.write(async (tx) => tx.jobs.put(run));
    runs.push(run);
  }
  return runs;
}

/** Jobs by name; each returns the number of removed rows. */
const jobs: Readonly<
  Record<string, (context: MemberContext, policy: RetentionPolicy) => Promise<number>>
> = {
  expired_sessions: (context) => {
    // A day after the expiry, so that a clock that is ahead removes no live session.
    const before = context.now() - dayMs;
    return inBatches(context, ({ sessions }, limit) => sessions.deleteExpired(before, limit));
  },
  settled_webhooks: (context, { webhookDays }) => {
    const before = context.now() - webhookDays * dayMs;
    return inBatches(context, ({ webhooks }, limit) => webhooks.deleteBefore(before, limit));
  },
  old_events: async (context, { eventDays }) => {
    if (eventDays === null) return 0;
    const before = context.now() - eventDays * dayMs;
    return inBatches(context, ({ events }, limit) => events.deleteBefore(before, limit));
  },
  sealed_audit: async (context, { auditDays }) => {
    await sealAudit(context);
    if (auditDays === null) return 0;
    const through = await markSealedRemoved(context, context.now() - auditDays * dayMs);
    return inBatches(context, ({ audit }, limit) => audit.deleteThrough(through, limit));
  },
  old_access_log: async (context, { accessLogDays }) => {
    if (accessLogDays === null) return 0;
    const before = context.now() - accessLogDays * dayMs;
    return inBatches(context, ({ accessLog }, limit) => accessLog.deleteBefore(before, limit));
  },
  overwrite_erased: async ({ store }) => {
    if ((await store.scrub()) !== 'blocked') return 0;
    throw new Error('A reader was using the files. The next run tries again.');
  },
};

/** Its row has the start of a run. */
const firstJob = 'expired_sessions';

/** Removes rows in small transactions, so that requests run between them. The next run removes the rest. */
async function inBatches(
  context: MemberContext,
  remove: (tx: MemberTransaction, limit: number) => number | Promise<number>,
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesMax; batch++) {
    const count = await context.store.write(async (tx) => remove(tx, batchRows));
    removed += count;
    if (count < batchRows) break;
  }
  return removed;
}

async function attempt(
  run: () => Promise<number>,
): Promise<{ readonly removed: number; readonly failure: string | null }> {
  try {
    return { removed: await run(), failure: null };
  } catch (error) {
    // The row of the job reports its failure; a store that is unavailable fails the whole run.
    if (error instanceof Problem) throw error;
    return { removed: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}

const retainEveryMs = 3_600_000;
const batchRows = 500;
const batchesMax = 1_000;
