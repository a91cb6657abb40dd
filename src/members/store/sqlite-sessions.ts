import type { PreparedSql } from './prepared-sql.ts';
import { currentEmail } from './identifying-text.ts';
import type { EndedSession, LiveSession, MemberSession, NewSession } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Sessions in SQLite: found by the hash of their token, dead as soon as the epoch of the member or the platform grows. */
export class SqliteSessions implements Table {
  readonly #live;
  readonly #liveCount;
  readonly #ofMember;
  readonly #unexpiredCount;
  readonly #deleteDead;
  readonly #deleteOldest;
  readonly #insert;
  readonly #byToken;
  readonly #end;
  readonly #nextEpoch;
  readonly #endOf;
  readonly #endIssuedBy;
  readonly #endAsserted;
  readonly #endThrough;
  readonly #nextPlatformEpoch;
  readonly #endBefore;
  readonly #deleteExpired;

  constructor(sql: PreparedSql) {
    this.#live = sql.values<LiveValues>(
      `SELECT s.id, s.platform_id, s.membership_id, s.verified, s.issued_at, s.expires_at, ${currentEmail}, m.id, m.svc_uid,
         m.realm, m.tier, m.platforms, m.session_epoch, m.created_at, m.merged_into,
         m.entitled,
         (SELECT version FROM versions WHERE name = 'platforms')
       FROM sessions s JOIN members m ON m.id = s.member_id JOIN addresses a ON a.member_id = m.id
         JOIN platforms p ON p.id = s.platform_id
       WHERE s.token_hash = ? AND s.expires_at > ? AND s.epoch = m.session_epoch AND ${ofPlatform}
         AND m.status = 'active'`,
    );
    this.#liveCount = sql.one<{ count: number }>(
      `SELECT count(*) AS count FROM sessions s JOIN members m ON m.id = s.member_id
         JOIN platforms p ON p.id = s.platform_id
       WHERE s.member_id = ? AND s.expires_at > ? AND s.epoch = m.session_epoch AND ${ofPlatform}`,
    );
    this.#ofMember = sql.many<Omit<MemberSession, 'verified'> & { readonly verified: number }>(
      `SELECT s.id, s.platform_id AS platformId, s.verified, s.issued_at AS issuedAt, s.expires_at AS expiresAt
       FROM sessions s JOIN members m ON m.id = s.member_id JOIN platforms p ON p.id = s.platform_id
       WHERE s.member_id = ? AND s.expires_at > ? AND s.epoch = m.session_epoch AND ${ofPlatform}
       ORDER BY s.issued_at DESC LIMIT ?`,
    );
    this.#unexpiredCount = sql.one<{ count: number }>(
      `SELECT count(*) AS count FROM sessions s CROSS JOIN platforms p ON p.id = s.platform_id
       WHERE s.expires_at > ? AND ${ofPlatform}`,
    );
    this.#deleteDead = sql.change(
      `DELETE FROM sessions AS s WHERE member_id = ? AND (expires_at <= ? OR epoch <> ?
         OR NOT EXISTS (SELECT 1 FROM platforms p WHERE p.id = s.platform_id AND ${ofPlatform}))`,
    );
    this.#deleteOldest = sql.change(
      `DELETE FROM sessions WHERE token_hash IN (
         SELECT token_hash FROM sessions WHERE member_id = ? ORDER BY issued_at DESC LIMIT 1000 OFFSET ?)`,
    );
    this.#insert = sql.change(
      `INSERT INTO sessions (token_hash, id, member_id, membership_id, platform_id, verified, epoch, issued_at,
         expires_at, platform_epoch)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT session_epoch FROM platforms WHERE id = ?5))`,
    );
    this.#byToken = sql.one<EndedSession>(
      `SELECT id, member_id AS memberId FROM sessions WHERE token_hash = ?`,
    );
    this.#end = sql.change(`DELETE FROM sessions WHERE token_hash = ?`);
    this.#nextEpoch = sql.change(
      `UPDATE members SET session_epoch = session_epoch + 1 WHERE id = ?`,
    );
    this.#endOf = sql.change(`DELETE FROM sessions WHERE member_id = ?`);
    this.#endIssuedBy = sql.change(`DELETE FROM sessions WHERE member_id = ? AND platform_id = ?`);
    this.#endAsserted = sql.change(`DELETE FROM sessions WHERE member_id = ? AND verified = 0`);
    this.#endThrough = sql.change(`DELETE FROM sessions WHERE member_id = ? AND membership_id = ?`);
    this.#nextPlatformEpoch = sql.change(
      `UPDATE platforms SET session_epoch = session_epoch + 1 WHERE id = ifnull(?, id)`,
    );
    this.#endBefore = sql.change(
      `UPDATE platforms SET sessions_from = max(sessions_from, ?) WHERE id = ifnull(?, id)`,
    );
    this.#deleteExpired = sql.change(
      `DELETE FROM sessions WHERE token_hash IN (
         SELECT token_hash FROM sessions WHERE expires_at <= ? LIMIT ?)`,
    );
  }

  live(tokenHash: Uint8Array, now: number): LiveSession | null {
    const values = this.#live(tokenHash, now);
    return values && liveOf(values);
  }

  liveCount(memberId: number, now: number): number {
    return this.#liveCount(memberId, now)!.count;
  }

  ofMember(memberId: number, now: number, limit: number): readonly MemberSession[] {
    return this.#ofMember(memberId, now, limit).map((row) => ({
      ...row,
      verified: row.verified === 1,
    }));
  }

  unexpiredCount(now: number): number {
    return this.#unexpiredCount(now)!.count;
  }

  insert(session: NewSession, liveMax: number): void {
    this.#deleteDead(session.memberId, session.issuedAt, session.epoch);
    this.#deleteOldest(session.memberId, liveMax - 1);
    this.#insert(
      session.tokenHash,
      session.id,
      session.memberId,
      session.membershipId,
      session.platformId,
      Number(session.verified),
      session.epoch,
      session.issuedAt,
      session.expiresAt,
    );
  }

  end(tokenHash: Uint8Array): EndedSession | null {
    const session = this.#byToken(tokenHash);
    if (session === null) return null;
    this.#end(tokenHash);
    return session;
  }

  endAll(memberId: number): void {
    this.#nextEpoch(memberId);
    // The epoch has ended them; deleting keeps them out of counts of unexpired sessions.
    this.#endOf(memberId);
  }

  endIssuedBy(memberId: number, platformId: number): void {
    this.#endIssuedBy(memberId, platformId);
  }

  endAsserted(memberId: number): number {
    return this.#endAsserted(memberId);
  }

  endThrough(memberId: number, membershipId: number): number {
    return this.#endThrough(memberId, membershipId);
  }

  endOfPlatform(platformId: number | null, before: number | null): void {
    if (before === null) this.#nextPlatformEpoch(platformId);
    else this.#endBefore(before, platformId);
  }

  deleteExpired(now: number, limit: number): number {
    return this.#deleteExpired(now, limit);
  }
}

/** A session that was not ended with others of its platform. */
const ofPlatform = `s.platform_epoch = p.session_epoch AND s.issued_at >= p.sessions_from`;

function liveOf([
  id,
  platformId,
  membershipId,
  verified,
  issuedAt,
  expiresAt,
  email,
  memberId,
  svcUid,
  realm,
  tier,
  platforms,
  epoch,
  createdAt,
  mergedInto,
  entitled,
  platformsVersion,
]: LiveValues): LiveSession {
  const status = 'active';
  return {
    id,
    platformId,
    membershipId,
    verified: verified === 1,
    issuedAt,
    expiresAt,
    // Zeros instead of an address that was released.
    email: email.includes('@') ? email : '',
    member: {
      id: memberId,
      svcUid,
      realm,
      tier,
      status,
      platforms,
      epoch,
      createdAt,
      mergedInto,
      entitled,
    },
    platformsVersion,
  };
}

/** Columns of the query, in their order. */
type LiveValues = readonly [
  id: string,
  platformId: number,
  membershipId: number,
  verified: number,
  issuedAt: number,
  expiresAt: number,
  email: string,
  memberId: number,
  svcUid: string,
  realm: string,
  tier: string,
  platforms: number,
  epoch: number,
  createdAt: number,
  mergedInto: number | null,
  entitled: 0 | 1,
  platformsVersion: number,
];

type Table = MemberTransaction['sessions'];
