import type { PreparedSql } from './prepared-sql.ts';
import type { Erasure } from './records.ts';
import type { ErasureRecords } from './store.ts';

/** Erasures in SQLite; the connection's `secure_delete` overwrites what is deleted here. */
export class SqliteErasures implements ErasureRecords {
  readonly #byTombstone;
  readonly #ofUid;
  readonly #insert;
  readonly #memberships;
  readonly #ofMembership;
  readonly #events;
  readonly #ofHome;

  constructor(sql: PreparedSql) {
    this.#byTombstone = sql.one<Erasure>(
      `SELECT ${columns} FROM erasures WHERE realm = ? AND tombstone = ? ORDER BY erased_at DESC LIMIT 1`,
    );
    this.#ofUid = sql.one<Erasure>(`SELECT ${columns} FROM erasures WHERE svc_uid = ?`);
    this.#insert = sql.change(`INSERT INTO erasures VALUES (?, ?, ?, ?, ?, ?)`);
    this.#memberships = sql.many<{ id: number }>(
      `SELECT id FROM memberships WHERE home_id = ? LIMIT 30`,
    );
    this.#events = sql.change(`DELETE FROM events WHERE membership_id = ?`);
    this.#ofMembership = [
      sql.change(`DELETE FROM consents WHERE membership_id = ?`),
      sql.change(`DELETE FROM extras WHERE membership_id = ?`),
      sql.change(`DELETE FROM local_users WHERE membership_id = ?`),
      sql.change(`DELETE FROM memberships WHERE id = ?`),
    ];
    this.#ofHome = [
      sql.change(`DELETE FROM sessions WHERE member_id = ?`),
      // Day by day, because activity is kept by day; the days are those since the member was first active.
      sql.change(
        `WITH RECURSIVE days (day) AS (
           SELECT first_active_day FROM members WHERE id = ?1 AND first_active_day IS NOT NULL
           UNION ALL SELECT day + 1 FROM days WHERE day < (SELECT max(day) FROM activity_days))
         DELETE FROM activity_days WHERE (day, member_id) IN (SELECT day, ?1 FROM days)`,
      ),
      sql.change(`DELETE FROM addresses WHERE member_id = ?`),
      sql.change(`DELETE FROM members WHERE id = ?`),
    ];
  }

  byTombstone(realm: string, tombstone: Uint8Array): Erasure | null {
    return this.#byTombstone(realm, tombstone) ?? null;
  }

  ofUid(svcUid: string): Erasure | null {
    return this.#ofUid(svcUid) ?? null;
  }

  eraseHome(home: number): { readonly memberships: number; readonly events: number } {
    const memberships = this.#memberships(home);
    let events = 0;
    for (const { id } of memberships) {
      events += this.#events(id);
      for (const remove of this.#ofMembership) remove(id);
    }
    for (const remove of this.#ofHome) remove(home);
    return { memberships: memberships.length, events };
  }

  insert(erasure: Erasure): void {
    const { receiptId, svcUid, realm, tombstone, platforms, erasedAt } = erasure;
    this.#insert(receiptId, svcUid, realm, tombstone, platforms, erasedAt);
  }
}

const columns = `receipt_id AS receiptId, svc_uid AS svcUid, realm, tombstone, platforms, erased_at AS erasedAt`;
