import { audit } from './audit.ts';
import { finishDeparture } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { moveActivity } from './move-activity.ts';
import { moveAside } from './release-address.ts';
import type { Departure, EarlyDeparture, Erasure, Membership, Release } from './store/entities.ts';
import type { ErasureLedger } from './store/erasure-ledger.ts';
import type { MemberTransaction } from './store/store.ts';
import { hasLeft, tombstoneOf } from './tombstone.ts';

/** Result of applying the ledger to a restored store. */
interface ReappliedErasures {
  /** Members that a restored backup had brought back. */
  readonly members: number;
  /** Lines of the ledger that cannot be read. */
  readonly damaged: number;
}

/**
 * Repeats in a restored store what the ledger has and the store lacks: erases members with their tombstones, ends
 * links, and frees addresses for their next owners. Erasures that the ledger lacks, because they are older than it or
 * because of a crash, are appended to it.
 */
export async function reapplyErasures(
  context: MemberContext,
  ledger: ErasureLedger,
): Promise<ReappliedErasures> {
  const receiptIds = new Set<string>();
  const endedLinks = new Map<string, Membership[]>();
  const releases: Release[] = [];
  const earlyDepartures: EarlyDeparture[] = [];
  const oldest = new Map<number, EarlyDeparture | null>();
  let [members, damaged] = [0, 0];
  for await (const entry of ledger.entries()) {
    // In sequence: a merged member comes before the one it was merged into, because its rows refer to that one.
    if (entry === null) damaged++;
    else if ('releasedAt' in entry) {
      if (!(await isNoted(context, entry))) releases.push(entry);
    } else if ('leftAt' in entry) {
      if (!('svcUid' in entry)) {
        if (await isMissing(context, entry, oldest)) earlyDepartures.push(entry);
      } else {
        const link = await leaveAgain(context, entry);
        const links = endedLinks.get(entry.svcUid) ?? [];
        if (link !== null) endedLinks.set(entry.svcUid, [...links, link]);
      }
    } else {
      receiptIds.add(entry.receiptId);
      if ((await context.store.read.erasures.ofUid(entry.svcUid)) !== null) continue;
      if (await context.store.write((tx) => eraseAgain(tx, entry))) members++;
    }
  }
  for (const [svcUid, links] of endedLinks) {
    await context.store.write((tx) => finishDepartureAgain(context, tx, svcUid, links));
  }
  await noteEarlyAgain(context, earlyDepartures);
  // Last, so that the links that still have a released address are links that moved, not links that ended.
  for (const release of releases) {
    await context.store.write((tx) => releaseAgain(context, tx, release));
  }
  await appendMissing(context, ledger, receiptIds);
  if (members > 0) await noteReapplied(context, members);
  return { members, damaged };
}

/**
 * Ends a link that a restored store has again, unless the link was made after the departure. Returns the ended link.
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

async function endAgain(tx: MemberTransaction, link: Membership): Promise<void> {
  await tx.sessions.endThrough(link.memberId, link.id);
  await moveActivity(tx, link, null);
  await tx.erasures.eraseMembership(link.id);
  await tx.members.touchHistory();
}

/** Updates a member whose links ended again: it may be closed, or leave unverified links behind. */
async function finishDepartureAgain(
  context: MemberContext,
  tx: MemberTransaction,
  svcUid: string,
  links: readonly Membership[],
): Promise<void> {
  const found = await tx.members.byUid(svcUid);
  if (found !== null) await finishDeparture(context, tx, restored, found, links);
}

/** True if the store lacks this departure, which is recent enough to be stored. `oldest` has what was read of each platform. */
async function isMissing(
  { store, now }: MemberContext,
  departure: EarlyDeparture,
  oldest: Map<number, EarlyDeparture | null>,
): Promise<boolean> {
  const { platformId, tombstone, leftAt } = departure;
  const { erasures } = store.read;
  if (leftAt < now() - memberLimits.earlyDepartureMsMax) return false;
  const known = oldest.get(platformId);
  const first =
    known === undefined
      ? await erasures.oldestEarlyDeparture(platformId, memberLimits.earlyDeparturesMax)
      : known;
  oldest.set(platformId, first);
  if (first !== null && isOlder(departure, first)) return false;
  return (await erasures.earlyDeparture(platformId, tombstone)) === null;
}

/** Order in which the store drops departures. */
function isOlder({ leftAt, tombstone }: EarlyDeparture, other: EarlyDeparture): boolean {
  if (leftAt !== other.leftAt) return leftAt < other.leftAt;
  return Buffer.compare(tombstone, other.tombstone) < 0;
}

/** Records departures in small transactions, so that requests run between them. */
async function noteEarlyAgain(
  { store }: MemberContext,
  departures: readonly EarlyDeparture[],
): Promise<void> {
  for (let at = 0; at < departures.length; at += departuresPerWrite) {
    await store.write(async ({ erasures }) => {
      for (const departure of departures.slice(at, at + departuresPerWrite)) {
        await erasures.noteEarlyDepartureAgain(departure);
      }
    });
  }
  for (const platformId of new Set(departures.map((departure) => departure.platformId))) {
    await store.write(async ({ erasures }) =>
      erasures.dropEarlyDepartures(platformId, memberLimits.earlyDeparturesMax),
    );
  }
}

const departuresPerWrite = 200;

/** True if the store has the release, or a later one of the same home. */
async function isNoted({ store }: MemberContext, release: Release): Promise<boolean> {
  const home = await store.read.members.byUid(release.svcUid);
  const noted = await store.read.erasures.releasedAt(release, home?.homeId ?? null);
  return noted !== null && noted >= release.releasedAt;
}

/**
 * Moves a link aside that has a released address again; the next valid address moves it on. If its user left the
 * platform after the link had moved, the link ends instead.
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
    await finishDeparture(context, tx, restored, home, [link]);
    return;
  }
  // Links refer to their platform.
  const platform = (await tx.platforms.all()).find(({ id }) => id === platformId)!;
  // Just before the release: a repetition of the registration that moved the link must be accepted.
  const facts = { verified: false, addressedAt: releasedAt - 1, releasedAt };
  await moveAside(context, tx, restored, platform, link, facts);
}

/** True for a link that was made, or got its address, after this time. */
function isNewer({ addressedAt, linkedAt }: Membership, time: number): boolean {
  return (addressedAt ?? linkedAt) > time;
}

/** Id of no member, for a home that the restored store does not have: ids begin with 1. */
const noHome = 0;

/** Returns true if the restored store had the member. */
async function eraseAgain(tx: MemberTransaction, erasure: Erasure): Promise<boolean> {
  const found = await tx.members.byUid(erasure.svcUid);
  if (found !== null) {
    // Members that are still merged into it were split off before its erasure, so they stay.
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
  receiptIds: ReadonlySet<string>,
): Promise<void> {
  let after = '';
  for (;;) {
    const page = await store.read.erasures.list(after, memberLimits.pageMax);
    const missing = page.filter(({ receiptId }) => !receiptIds.has(receiptId));
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
