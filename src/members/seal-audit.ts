import { dayMs } from '../data/korean-time.ts';
import { audit } from './audit.ts';
import { readSeals, removalOf, sealOf } from './audit-seals.ts';
import type { MemberContext } from './context.ts';
import type { AuditSeal } from './store/entities.ts';
import { walkChain } from './verify-audit.ts';

/** Checks and seals every segment of the audit log that has ended. Throws for a broken chain, with its row. */
export async function sealAudit(context: MemberContext): Promise<void> {
  for (;;) {
    const before = await context.store.read.audit.lastSeal();
    const through = await segmentEnd(context, before?.seq ?? 0);
    if (through === null) return;
    const start = before ?? { seq: 0, hash: '' };
    const { end, faultAt } = await walkChain(context, start, { through });
    if (faultAt !== null) {
      throw new Error(
        `The audit log is broken at row ${faultAt}. Compare the store with a backup.`,
      );
    }
    const segment = { seq: end.seq, hash: end.hash, endedAt: end.at, sealedAt: context.now() };
    await context.store.write(async (tx) => {
      // Another process may have sealed it.
      if ((await tx.audit.lastSeal())?.seq !== before?.seq) return;
      const seal = sealOf(context, before, segment);
      await tx.audit.insertSeal({ ...segment, seal, removal: null });
    });
  }
}

/**
 * Marks the sealed segments that ended before a moment as removed, with an entry in the audit log. Returns the last row
 * that may be deleted; 0 for none.
 */
export async function markSealedRemoved(context: MemberContext, before: number): Promise<number> {
  const { seals, faultAt } = await readSeals(context);
  if (faultAt !== null)
    throw new Error(`The seal of the audit log after row ${faultAt} is forged.`);
  const firstKept = seals.findIndex(({ endedAt }) => endedAt >= before);
  const last = seals.at(firstKept === -1 ? seals.length - 1 : firstKept - 1);
  if (last === undefined || firstKept === 0) return 0;
  if (last.removal === null) await markRemoved(context, last);
  return last.seq;
}

async function markRemoved(context: MemberContext, seal: AuditSeal): Promise<void> {
  const operator = { actor: 'system', reason: 'The retention of the audit log has ended.' };
  await context.store.write(async (tx) => {
    await tx.audit.setRemoval(seal.seq, removalOf(context, seal));
    const detail = { through: seal.seq };
    await audit(context, tx, operator, { action: 'audit_removed', subject: 'audit', detail });
  });
}

/** Last row of the next segment; null while it has not ended. */
async function segmentEnd(context: MemberContext, after: number): Promise<number | null> {
  const { audit: chain } = context.store.read;
  const end = (await chain.head())?.seq ?? 0;
  if (end - after >= segmentRows) return after + segmentRows;
  const [first] = await chain.after(after, 1);
  if (first === undefined || context.now() - first.at < segmentMs) return null;
  return end;
}

const segmentRows = 10_000;
const segmentMs = 30 * dayMs;
