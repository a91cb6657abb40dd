import { audit } from './audit.ts';
import { closeUnlinked, releaseUnlinked } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import type { Departure, Erasure } from './store/entities.ts';
import type { ErasureLedger } from './store/erasure-ledger.ts';
import type { MemberTransaction } from './store/store.ts';

/** Result of comparing the store with the ledger. */
interface ReappliedErasures {
  /** Members that a restored backup had brought back. */
  readonly members: number;
  /** Lines of the ledger that cannot be read. */
  readonly damaged: number;
}

/**
 * Erases again every member whose erasure the ledger has and a restored store lacks, with its tombstone. Erasures that
 * the ledger lacks, from before it existed or from a crash, are appended to it. Links that ended end again.
 */
export async function reapplyErasures(
  context: MemberContext,
  ledger: ErasureLedger,
): Promise<ReappliedErasures> {
  const known = new Set<string>();
  const left = new Set<string>();
  let [members, damaged] = [0, 0];
  for await (const entry of ledger.entries()) {
    // One after another: merged members come before the one they were merged into, whose rows theirs refer to.
    if (entry === null) damaged++;
    else if ('leftAt' in entry) {
      if (await leaveAgain(context, entry)) left.add(entry.svcUid);
    } else {
      known.add(entry.receiptId);
      if ((await context.store.read.erasures.ofUid(entry.svcUid)) !== null) continue;
      if (await context.store.write((tx) => eraseAgain(tx, entry))) members++;
    }
  }
  for (const svcUid of left) await context.store.write((tx) => closeAgain(context, tx, svcUid));
  await appendMissing(context, ledger, known);
  if (members > 0) await noteReapplied(context, members);
  return { members, damaged };
}

/**
 * Ends a link that a restored store has again; one that was made after the departure stays. Returns true if it ended a
 * link.
 */
async function leaveAgain(context: MemberContext, departure: Departure): Promise<boolean> {
  const { svcUid, platformId, tombstone, leftAt } = departure;
  const noted = await context.store.read.erasures.departure(platformId, tombstone);
  if (noted !== null && noted >= leftAt) return false;
  return context.store.write(async (tx) => {
    await tx.erasures.noteDepartureAgain(departure);
    const found = await tx.members.byUid(svcUid);
    const link = found && (await tx.memberships.at(found.homeId, platformId));
    if (found === null || link === null) return false;
    if ((link.addressedAt ?? link.linkedAt) > leftAt) return false;
    await tx.sessions.endThrough(found.id, link.id);
    await tx.erasures.eraseMembership(link.id);
    await tx.members.refreshPlatforms(found.id);
    await tx.members.touchHistory();
    return true;
  });
}

/** Closes a member whose last link ended, and releases an address without links. */
async function closeAgain(
  context: MemberContext,
  tx: MemberTransaction,
  svcUid: string,
): Promise<void> {
  const found = await tx.members.byUid(svcUid);
  if (found === null) return;
  await releaseUnlinked(tx, new Set([found.homeId]), await tx.memberships.of(found.id));
  await closeUnlinked(context, tx, found);
}

/** Returns true if the restored store had the member. */
async function eraseAgain(tx: MemberTransaction, erasure: Erasure): Promise<boolean> {
  const found = await tx.members.byUid(erasure.svcUid);
  if (found !== null) {
    // Members that were merged into it, and had left it by the time of the erasure, stay.
    for (const home of await tx.merges.homesIn(found.homeId, memberLimits.mergedMembersMax)) {
      await tx.merges.moveHome(home, null);
      await tx.members.refreshPlatforms(home);
    }
    await tx.sessions.endAll(found.id);
    await tx.erasures.eraseHome(found.homeId);
    if (found.id !== found.homeId) await tx.members.refreshPlatforms(found.id);
    await tx.members.touchHistory();
  }
  await tx.erasures.insertAgain(erasure);
  return found !== null;
}

async function appendMissing(
  { store }: MemberContext,
  ledger: ErasureLedger,
  known: ReadonlySet<string>,
): Promise<void> {
  let after = '';
  for (;;) {
    const page = await store.read.erasures.list(after, memberLimits.pageMax);
    const missing = page.filter(({ receiptId }) => !known.has(receiptId));
    if (missing.length > 0) await ledger.append(missing);
    if (page.length < memberLimits.pageMax) return;
    after = page.at(-1)!.receiptId;
  }
}

async function noteReapplied(context: MemberContext, members: number): Promise<void> {
  const operator = { actor: 'system', reason: 'The store was restored from before erasures.' };
  const entry = { action: 'erasures_reapplied', subject: 'store', detail: { members } };
  await context.store.write((tx) => audit(context, tx, operator, entry));
}
