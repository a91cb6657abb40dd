import { audit } from './audit.ts';
import { settleMember } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { moveAside } from './release-address.ts';
import type { Departure, EarlyDeparture, Erasure, Membership, Release } from './store/entities.ts';
import type { ErasureLedger } from './store/erasure-ledger.ts';
import type { MemberTransaction } from './store/store.ts';
import { hasLeft, tombstoneOf } from './tombstone.ts';

/** Result of comparing the store with the ledger. */
interface ReappliedErasures {
  /** Members that a restored backup had brought back. */
  readonly members: number;
  /** Lines of the ledger that cannot be read. */
  readonly damaged: number;
}

/**
 * Erases again every member whose erasure the ledger has and a restored store lacks, with its tombstone. Erasures that
 * the ledger lacks, from before it existed or from a crash, are appended to it. Links that ended end again, and addresses
 * that were released are again free for their next owners.
 */
export async function reapplyErasures(
  context: MemberContext,
  ledger: ErasureLedger,
): Promise<ReappliedErasures> {
  const known = new Set<string>();
  const left = new Map<string, Membership[]>();
  const released: Release[] = [];
  const early: EarlyDeparture[] = [];
  let [members, damaged] = [0, 0];
  for await (const entry of ledger.entries()) {
    // One after another: merged members come before the one they were merged into, whose rows theirs refer to.
    if (entry === null) damaged++;
    else if ('releasedAt' in entry) {
      if (!(await isNoted(context, entry))) released.push(entry);
    } else if ('leftAt' in entry) {
      if (!('svcUid' in entry)) {
        if (await isMissing(context, entry)) early.push(entry);
      } else {
        const link = await leaveAgain(context, entry);
        if (link !== null) left.set(entry.svcUid, [...(left.get(entry.svcUid) ?? []), link]);
      }
    } else {
      known.add(entry.receiptId);
      if ((await context.store.read.erasures.ofUid(entry.svcUid)) !== null) continue;
      if (await context.store.write((tx) => eraseAgain(tx, entry))) members++;
    }
  }
  for (const [svcUid, links] of left) {
    await context.store.write((tx) => settleAgain(context, tx, svcUid, links));
  }
  if (early.length > 0) await context.store.write((tx) => leaveEarlyAgain(context, tx, early));
  // Once the links that ended are gone: those that moved remain.
  for (const release of released) {
    await context.store.write((tx) => releaseAgain(context, tx, release));
  }
  await appendMissing(context, ledger, known);
  if (members > 0) await noteReapplied(context, members);
  return { members, damaged };
}

/**
 * Ends a link that a restored store has again; one that was made after the departure stays. Returns the link that it
 * ended.
 */
async function leaveAgain(
  context: MemberContext,
  departure: Departure,
): Promise<Membership | null> {
  const { svcUid, platformId, tombstone, leftAt } = departure;
  const noted = await context.store.read.erasures.departure(platformId, tombstone);
  if (noted !== null && noted >= leftAt) return null;
  return context.store.write(async (tx) => {
    await tx.erasures.noteDepartureAgain(departure);
    const found = await tx.members.byUid(svcUid);
    const link = found && (await tx.memberships.at(found.homeId, platformId));
    if (found === null || link === null || isNewer(link, leftAt)) return null;
    await endAgain(tx, link);
    await tx.members.refreshPlatforms(found.id);
    return link;
  });
}

async function endAgain(tx: MemberTransaction, { id, memberId }: Membership): Promise<void> {
  await tx.sessions.endThrough(memberId, id);
  await tx.erasures.eraseMembership(id);
  await tx.members.touchHistory();
}

/** Settles a member that links have left: it closes with its last one, or leaves unverified ones behind. */
async function settleAgain(
  context: MemberContext,
  tx: MemberTransaction,
  svcUid: string,
  links: readonly Membership[],
): Promise<void> {
  const found = await tx.members.byUid(svcUid);
  if (found !== null) await settleMember(context, tx, restored, found, links);
}

/** True for a local id that left without a link, if the store lacks it and would keep it. */
async function isMissing(
  { store, now }: MemberContext,
  { platformId, tombstone, leftAt }: EarlyDeparture,
): Promise<boolean> {
  if (leftAt < now() - memberLimits.earlyDepartureMsMax) return false;
  return (await store.read.erasures.earlyDeparture(platformId, tombstone)) === null;
}

/** Notes them in one transaction: those beyond the number that is kept are missing at each start. */
async function leaveEarlyAgain(
  context: MemberContext,
  tx: MemberTransaction,
  departures: readonly EarlyDeparture[],
): Promise<void> {
  const { earlyDepartureMsMax, earlyDeparturesMax } = memberLimits;
  const keptSince = context.now() - earlyDepartureMsMax;
  for (const departure of departures) {
    await tx.erasures.noteEarlyDepartureAgain(departure, keptSince, earlyDeparturesMax);
  }
}

/** True if the store has the release, or a later one by the same home. */
async function isNoted({ store }: MemberContext, release: Release): Promise<boolean> {
  const home = await store.read.members.byUid(release.svcUid);
  const noted = await store.read.erasures.releasedAt(release, home?.homeId ?? null);
  return noted !== null && noted >= release.releasedAt;
}

/**
 * Takes an address away from a link that a restored store has there again: the next valid one moves it. A link whose user
 * left after it had moved ends instead.
 */
async function releaseAgain(
  context: MemberContext,
  tx: MemberTransaction,
  release: Release,
): Promise<void> {
  const { svcUid, platformId, tombstone, releasedAt } = release;
  const home = await tx.members.byUid(svcUid);
  await tx.erasures.noteReleaseAgain(release, home?.homeId ?? noHome);
  const link = home && (await tx.memberships.at(home.homeId, platformId));
  if (home === null || link === null || isNewer(link, releasedAt)) return;
  const email = await tx.members.email(home.homeId);
  if (email === null || !tombstoneOf(context, email).equals(tombstone)) return;
  if (await hasLeft(context, tx, link)) {
    await endAgain(tx, link);
    await settleMember(context, tx, restored, home, [link]);
    return;
  }
  // Links refer to their platform.
  const platform = (await tx.platforms.all()).find(({ id }) => id === platformId)!;
  // The registration that moved it counts if it is repeated.
  const facts = { verified: false, addressedAt: releasedAt - 1, releasedAt };
  await moveAside(context, tx, restored, platform, link, facts);
}

/** True for a link that was made, or got its address, after this time. */
function isNewer({ addressedAt, linkedAt }: Membership, time: number): boolean {
  return (addressedAt ?? linkedAt) > time;
}

/** Stands for a home that the restored store does not have: ids begin with 1. */
const noHome = 0;

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
  const entry = { action: 'erasures_reapplied', subject: 'store', detail: { members } };
  await context.store.write((tx) => audit(context, tx, restored, entry));
}

const restored = { actor: 'system', reason: 'The store was restored from before erasures.' };
