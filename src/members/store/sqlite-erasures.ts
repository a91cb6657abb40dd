import type { PreparedSql } from './prepared-sql.ts';
import type { Departure, EarlyDeparture, Erasure, Release } from './entities.ts';
import type { LedgerEntry } from './erasure-ledger.ts';
import { overwriteAddresses, zeros } from './identifying-text.ts';
import type { MemberTransaction } from './store.ts';

/**
 * Erasures in SQLite. Identifying text is overwritten with zeros in place, the rest is deleted. Events stay without their
 * `meta` and their membership, so that their ids stay in use.
 */
export class SqliteErasures implements Table {
  readonly #latest;
  readonly #noteLatest;
  readonly #byTombstone;
  readonly #ofUid;
  readonly #list;
  readonly #insert;
  readonly #departure;
  readonly #noteDeparture;
  readonly #earlyDeparture;
  readonly #noteEarlyDeparture;
  readonly #oldestEarlyDeparture;
  readonly #dropExpired;
  readonly #dropBeyond;
  readonly #isReleased;
  readonly #releasedAt;
  readonly #noteRelease;
  readonly #onErased: (entry: LedgerEntry) => void;
  readonly #memberships;
  readonly #ofMembership;
  readonly #events;
  readonly #ofHome;

  constructor(sql: PreparedSql, onErased: (entry: LedgerEntry) => void) {
    this.#onErased = onErased;
    this.#latest = sql.values<[at: number]>(`SELECT at FROM latest_departure WHERE one = 1`);
    this.#noteLatest = sql.change(`UPDATE latest_departure SET at = ?1 WHERE one = 1 AND at < ?1`);
    this.#byTombstone = sql.one<Erasure>(
      `SELECT ${columns} FROM erasures WHERE realm = ? AND tombstone = ? ORDER BY erased_at DESC LIMIT 1`,
    );
    this.#ofUid = sql.one<Erasure>(`SELECT ${columns} FROM erasures WHERE svc_uid = ?`);
    this.#list = sql.many<Erasure>(
      `SELECT ${columns} FROM erasures WHERE receipt_id > ? ORDER BY receipt_id LIMIT ?`,
    );
    this.#insert = sql.change(`INSERT INTO erasures VALUES (?, ?, ?, ?, ?, ?)`);
    this.#departure = sql.one<{ leftAt: number }>(
      `SELECT left_at AS leftAt FROM departures WHERE platform_id = ? AND tombstone = ?`,
    );
    this.#noteDeparture = sql.change(
      `INSERT INTO departures VALUES (?, ?, ?)
       ON CONFLICT (platform_id, tombstone) DO UPDATE SET left_at = max(left_at, excluded.left_at)`,
    );
    this.#earlyDeparture = sql.one<{ leftAt: number }>(
      `SELECT left_at AS leftAt FROM early_departures WHERE platform_id = ? AND tombstone = ?`,
    );
    this.#noteEarlyDeparture = sql.change(
      `INSERT INTO early_departures VALUES (?, ?, ?)
       ON CONFLICT (platform_id, tombstone) DO UPDATE SET left_at = max(left_at, excluded.left_at)`,
    );
    const nth = `SELECT left_at, tombstone FROM early_departures WHERE platform_id = ?1
      ORDER BY left_at DESC, tombstone DESC LIMIT 1 OFFSET ?2`;
    this.#oldestEarlyDeparture = sql.one<EarlyDeparture>(
      `SELECT ?1 AS platformId, left_at AS leftAt, tombstone FROM (${nth})`,
    );
    this.#dropExpired = sql.change(
      `DELETE FROM early_departures WHERE platform_id = ? AND left_at < ?`,
    );
    this.#dropBeyond = sql.change(
      `DELETE FROM early_departures WHERE platform_id = ?1 AND (left_at, tombstone) <= (${nth})`,
    );
    this.#isReleased = sql.one<{ found: number }>(
      `SELECT 1 AS found FROM released_addresses WHERE realm = ? AND tombstone = ? AND released_at >= ?
         AND home_id IS NOT ? AND platform_id <> ? LIMIT 1`,
    );
    this.#releasedAt = sql.one<{ at: number | null }>(
      `SELECT max(released_at) AS at FROM released_addresses WHERE realm = ?1 AND tombstone = ?2 AND platform_id = ?3
         AND (home_id = ?4 OR ?4 IS NULL AND NOT EXISTS (SELECT 1 FROM members WHERE id = home_id))`,
    );
    this.#noteRelease = sql.change(
      `INSERT INTO released_addresses VALUES (?, ?, ?, ?, ?) ON CONFLICT (realm, tombstone, home_id, platform_id)
       DO UPDATE SET released_at = max(released_at, excluded.released_at)`,
    );
    this.#memberships = sql.many<{ id: number }>(
      `SELECT id FROM memberships WHERE home_id = ? LIMIT 30`,
    );
    this.#events = sql.change(
      `UPDATE events SET meta = ${zeros('meta')}, membership_id = ?2 WHERE membership_id = ?1`,
    );
    this.#ofMembership = [
      sql.change(`DELETE FROM consents WHERE membership_id = ?`),
      sql.change(`DELETE FROM webhook_messages WHERE membership_id = ?`),
      sql.change(`UPDATE extras SET extra = ${zeros('extra')} WHERE membership_id = ?`),
      sql.change(
        `UPDATE local_users SET local_hash = zeroblob(16), local_user_id = ${zeros('local_user_id')},
           email_typed = ${zeros('email_typed')} WHERE membership_id = ?`,
      ),
      sql.change(`DELETE FROM memberships WHERE id = ?`),
    ];
    this.#ofHome = [
      sql.change(`DELETE FROM sessions WHERE member_id = ?`),
      sql.change(`DELETE FROM entitlements WHERE home_id = ?`),
      // Day by day since the first active day, because the primary key begins with the day.
      sql.change(
        `WITH RECURSIVE days (day) AS (
           SELECT first_active_day FROM members WHERE id = ?1 AND first_active_day IS NOT NULL
           UNION ALL SELECT day + 1 FROM days WHERE day < (SELECT max(day) FROM activity_days))
         DELETE FROM activity_days WHERE (day, member_id) IN (SELECT day, ?1 FROM days)`,
      ),
      ...overwriteAddresses.map((text) => sql.change(text)),
      sql.change(`DELETE FROM members WHERE id = ?`),
    ];
  }

  latest(): number {
    return this.#latest()![0];
  }

  byTombstone(realm: string, tombstone: Uint8Array): Erasure | null {
    return this.#byTombstone(realm, tombstone);
  }

  ofUid(svcUid: string): Erasure | null {
    return this.#ofUid(svcUid);
  }

  eraseHome(home: number): { readonly memberships: number; readonly events: number } {
    const memberships = this.#memberships(home);
    const events = memberships.reduce((sum, { id }) => sum + this.eraseMembership(id), 0);
    for (const remove of this.#ofHome) remove(home);
    return { memberships: memberships.length, events };
  }

  eraseMembership(membershipId: number): number {
    const events = this.#events(membershipId, noMembership(membershipId));
    for (const remove of this.#ofMembership) remove(membershipId);
    return events;
  }

  departure(platformId: number, tombstone: Uint8Array): number | null {
    return this.#departure(platformId, tombstone)?.leftAt ?? null;
  }

  noteDeparture(departure: Departure): void {
    this.noteDepartureAgain(departure);
    this.#onErased(departure);
  }

  noteDepartureAgain({ platformId, tombstone, leftAt }: Departure): void {
    this.#noteDeparture(platformId, tombstone, leftAt);
    this.#noteLatest(leftAt);
  }

  earlyDeparture(platformId: number, tombstone: Uint8Array): number | null {
    return this.#earlyDeparture(platformId, tombstone)?.leftAt ?? null;
  }

  oldestEarlyDeparture(platformId: number, most: number) {
    return this.#oldestEarlyDeparture(platformId, most - 1);
  }

  noteEarlyDeparture(departure: EarlyDeparture, keptSince: number, most: number): void {
    const { platformId, tombstone } = departure;
    const isKnown = this.earlyDeparture(platformId, tombstone) !== null;
    this.#dropExpired(platformId, keptSince);
    const isFull = this.oldestEarlyDeparture(platformId, most) !== null;
    // A report of more ids each night would make the ledger grow each night.
    if (!isKnown && !isFull) this.#onErased(departure);
    this.noteEarlyDepartureAgain(departure);
    if (!isKnown && isFull) this.#dropBeyond(platformId, most);
  }

  noteEarlyDepartureAgain({ platformId, tombstone, leftAt }: EarlyDeparture): void {
    this.#noteEarlyDeparture(platformId, tombstone, leftAt);
    this.#noteLatest(leftAt);
  }

  dropEarlyDepartures(platformId: number, most: number): void {
    this.#dropBeyond(platformId, most);
  }

  isReleased(
    realm: string,
    tombstone: Uint8Array,
    since: number,
    { homeId, platformId }: { readonly homeId: number | null; readonly platformId: number },
  ): boolean {
    return this.#isReleased(realm, tombstone, since, homeId, platformId) !== null;
  }

  releasedAt({ realm, tombstone, platformId }: Release, homeId: number | null): number | null {
    return this.#releasedAt(realm, tombstone, platformId, homeId)!.at;
  }

  noteRelease(release: Release, homeId: number): void {
    this.noteReleaseAgain(release, homeId);
    this.#onErased(release);
  }

  noteReleaseAgain({ realm, tombstone, platformId, releasedAt }: Release, homeId: number): void {
    this.#noteRelease(realm, tombstone, homeId, platformId, releasedAt);
    this.#noteLatest(releasedAt);
  }

  list(afterReceiptId: string, limit: number): readonly Erasure[] {
    return this.#list(afterReceiptId, limit);
  }

  insert(erasure: Erasure): void {
    this.insertAgain(erasure);
    this.#onErased(erasure);
  }

  insertAgain(erasure: Erasure): void {
    const { receiptId, svcUid, realm, tombstone, platforms, erasedAt } = erasure;
    this.#insert(receiptId, svcUid, realm, tombstone, platforms, erasedAt);
    this.#noteLatest(erasedAt);
  }
}

/** A number of no membership. It takes as many bytes as `id`, so that rows of events are overwritten in place. */
function noMembership(id: number): number {
  return id === 1 ? 0 : -1 - 2 ** [0, 7, 15, 23, 31, 47].findLast((bits) => id >= 2 ** bits)!;
}

const columns = `receipt_id AS receiptId, svc_uid AS svcUid, realm, tombstone, platforms, erased_at AS erasedAt`;

type Table = MemberTransaction['erasures'];
