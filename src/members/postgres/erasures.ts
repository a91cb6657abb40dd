import type { Departure, EarlyDeparture, Erasure, Release } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/**
 * Erasures in PostgreSQL. Rows are deleted; the server keeps their bytes until it reuses the space. Events stay without
 * their `meta` and their membership, so that their ids stay in use.
 */
export function erasuresOf(runner: Runner): MemberTransaction['erasures'] {
  const eraseMembership = async (membershipId: number) => {
    const events = await runner.change(eraseEvents, membershipId);
    for (const remove of ofMembership) await runner.run(remove, membershipId);
    return events;
  };
  const noteDepartureAgain = async ({ platformId, tombstone, leftAt }: Departure) => {
    await runner.run(noteDeparture, platformId, tombstone, leftAt);
    await runner.run(noteLatest, leftAt);
  };
  const noteEarlyAgain = async ({ platformId, tombstone, leftAt }: EarlyDeparture) => {
    await runner.run(noteEarlyDeparture, platformId, tombstone, leftAt);
    await runner.run(noteLatest, leftAt);
  };
  const oldestEarly = (platformId: number, most: number) =>
    runner.one(oldestEarlyDeparture, platformId, most - 1);
  const noteReleaseAgain = async (release: Release, homeId: number) => {
    const { realm, tombstone, platformId, releasedAt } = release;
    await runner.run(noteRelease, realm, tombstone, homeId, platformId, releasedAt);
    await runner.run(noteLatest, releasedAt);
  };
  const insertAgain = async (erasure: Erasure) => {
    const { receiptId, svcUid, realm, tombstone, platforms, erasedAt } = erasure;
    await runner.run(insert, receiptId, svcUid, realm, tombstone, platforms, erasedAt);
    await runner.run(noteLatest, erasedAt);
  };
  const leftEarlyAt = async (platformId: number, tombstone: Uint8Array) =>
    (await runner.one(earlyDeparture, platformId, tombstone))?.leftAt ?? null;
  return {
    latest: async () => (await runner.one(latest))!.at,
    byTombstone: (realm, tombstone) => runner.one(byTombstone, realm, tombstone),
    ofUid: (svcUid) => runner.one(ofUid, svcUid),
    async departure(platformId, tombstone) {
      return (await runner.one(departure, platformId, tombstone))?.leftAt ?? null;
    },
    earlyDeparture: leftEarlyAt,
    oldestEarlyDeparture: oldestEarly,
    async isReleased(realm, tombstone, since, { homeId, platformId }) {
      return (await runner.one(isReleased, realm, tombstone, since, homeId, platformId)) !== null;
    },
    async releasedAt({ realm, tombstone, platformId }, homeId) {
      return (await runner.one(releasedAt, realm, tombstone, platformId, homeId))!.at;
    },
    list: (afterReceiptId, limit) => runner.many(list, afterReceiptId, limit),
    async eraseHome(home) {
      const memberships = await runner.many(membershipsOfHome, home);
      let events = 0;
      for (const { id } of memberships) events += await eraseMembership(id);
      for (const remove of ofHome) await runner.run(remove, home);
      return { memberships: memberships.length, events };
    },
    eraseMembership,
    async noteDeparture(given) {
      await noteDepartureAgain(given);
      runner.noteErased(given);
    },
    noteDepartureAgain,
    async noteEarlyDeparture(early, keptSince, most) {
      const { platformId, tombstone } = early;
      const isKnown = (await leftEarlyAt(platformId, tombstone)) !== null;
      await runner.run(dropExpired, platformId, keptSince);
      const isFull = (await oldestEarly(platformId, most)) !== null;
      await noteEarlyAgain(early);
      if (!isKnown && isFull) await runner.run(dropBeyond, platformId, most);
      // A report of more ids each night would make the ledger grow each night.
      if (!isKnown && !isFull) runner.noteErased(early);
    },
    noteEarlyDepartureAgain: noteEarlyAgain,
    dropEarlyDepartures: (platformId, most) => runner.run(dropBeyond, platformId, most),
    async noteRelease(release, homeId) {
      await noteReleaseAgain(release, homeId);
      runner.noteErased(release);
    },
    noteReleaseAgain,
    async insert(erasure) {
      await insertAgain(erasure);
      runner.noteErased(erasure);
    },
    insertAgain,
  };
}

const columns = 'receipt_id, svc_uid, realm, tombstone, platforms, erased_at';

// Only parts that run by themselves write what these read.
const latest = besideStatement<{ readonly at: number }>(
  `SELECT at FROM latest_departure WHERE one = 1`,
  {},
);
const byTombstone = besideStatement<Erasure>(
  `SELECT ${columns} FROM erasures WHERE realm = $1 AND tombstone = $2 ORDER BY erased_at DESC LIMIT 1`,
);
const ofUid = besideStatement<Erasure>(`SELECT ${columns} FROM erasures WHERE svc_uid = $1`);
const departure = besideStatement<{ readonly leftAt: number }>(
  `SELECT left_at FROM departures WHERE platform_id = $1 AND tombstone = $2`,
);
const earlyDeparture = besideStatement<{ readonly leftAt: number }>(
  `SELECT left_at FROM early_departures WHERE platform_id = $1 AND tombstone = $2`,
);
const isReleased = besideStatement<object>(
  `SELECT 1 AS found FROM released_addresses WHERE realm = $1 AND tombstone = $2 AND released_at >= $3
     AND home_id IS DISTINCT FROM $4::bigint AND platform_id <> $5 LIMIT 1`,
);
const releasedAt = besideStatement<{ readonly at: number | null }>(
  `SELECT max(released_at) AS at FROM released_addresses WHERE realm = $1 AND tombstone = $2 AND platform_id = $3
     AND (home_id = $4 OR $4::bigint IS NULL AND NOT EXISTS (SELECT 1 FROM members WHERE id = home_id))`,
);
const list = statement<Erasure>(
  `SELECT ${columns} FROM erasures WHERE receipt_id > $1 ORDER BY receipt_id LIMIT $2`,
);
const noteLatest = statement(`UPDATE latest_departure SET at = $1 WHERE one = 1 AND at < $1`);
const insert = statement(`INSERT INTO erasures VALUES ($1, $2, $3, $4, $5, $6)`);
const noteDeparture = statement(
  `INSERT INTO departures AS known VALUES ($1, $2, $3)
   ON CONFLICT (platform_id, tombstone) DO UPDATE SET left_at = greatest(known.left_at, excluded.left_at)`,
);
const noteEarlyDeparture = statement(
  `INSERT INTO early_departures AS known VALUES ($1, $2, $3)
   ON CONFLICT (platform_id, tombstone) DO UPDATE SET left_at = greatest(known.left_at, excluded.left_at)`,
);
const nthEarlyDeparture = `FROM early_departures WHERE platform_id = $1
  ORDER BY left_at DESC, tombstone DESC LIMIT 1 OFFSET $2`;
const oldestEarlyDeparture = statement<EarlyDeparture>(
  `SELECT platform_id, left_at, tombstone ${nthEarlyDeparture}`,
);
const dropExpired = statement(
  `DELETE FROM early_departures WHERE platform_id = $1 AND left_at < $2`,
);
const dropBeyond = statement(
  `DELETE FROM early_departures WHERE platform_id = $1 AND (left_at, tombstone) <=
     (SELECT left_at, tombstone ${nthEarlyDeparture})`,
);
const noteRelease = statement(
  `INSERT INTO released_addresses AS known VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (realm, tombstone, home_id, platform_id)
   DO UPDATE SET released_at = greatest(known.released_at, excluded.released_at)`,
);
const membershipsOfHome = statement<{ readonly id: number }>(
  `SELECT id FROM memberships WHERE home_id = $1 LIMIT 30`,
);
const eraseEvents = statement(
  `UPDATE events SET meta = NULL, membership_id = 0 WHERE membership_id = $1`,
);
const ofMembership = [
  statement(`DELETE FROM consents WHERE membership_id = $1`),
  statement(`DELETE FROM webhook_messages WHERE membership_id = $1`),
  statement(`DELETE FROM extras WHERE membership_id = $1`),
  statement(`DELETE FROM memberships WHERE id = $1`),
];
const ofHome = [
  statement(`DELETE FROM sessions WHERE member_id = $1`),
  statement(`DELETE FROM entitlements WHERE home_id = $1`),
  // Day by day since the first active day, because the primary key begins with the day.
  statement(
    `DELETE FROM activity_days WHERE member_id = $1 AND day = ANY (
       ARRAY(SELECT generate_series((SELECT first_active_day FROM members WHERE id = $1),
         (SELECT max(day) FROM activity_days))))`,
  ),
  statement(`DELETE FROM members WHERE id = $1`),
];
