import type { MemberContext } from './context.ts';
import { reportAfter, reportChange } from './entitlements.ts';
import type { MemberTransaction } from './store/store.ts';

/**
 * Queues `entitlement.changed` for grants whose start or end has come since the last call. Runs every two seconds; a
 * service that was stopped reports when it starts again. Answers do not depend on it: they compute the codes in force.
 */
export async function reportEntitlements(context: MemberContext): Promise<number> {
  const { entitlements } = context.store.read;
  let reported = 0;
  // Most runs find none, and write nothing.
  while ((await entitlements.due(context.now(), 1)).length > 0) {
    const count = await context.store.write((tx) => reportBatch(context, tx));
    if (count === 0) break;
    reported += count;
  }
  return reported;
}

/** Reports due grants: a member's code only once, even if one grant of it ends as the next starts. */
async function reportBatch(context: MemberContext, tx: MemberTransaction): Promise<number> {
  const now = context.now();
  const due = await tx.entitlements.due(now, batchRows);
  const changed = new Map<string, { readonly id: number; readonly code: string }>();
  for (const { id, memberId, code, startsAt, overAt } of due) {
    await tx.entitlements.planReport(id, reportAfter(now, startsAt, overAt));
    changed.set(`${memberId} ${code}`, { id: memberId, code });
  }
  for (const { id, code } of changed.values()) await reportChange(context, tx, { id }, code);
  return due.length;
}

const batchRows = 100;
