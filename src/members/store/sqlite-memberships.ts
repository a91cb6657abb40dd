import type { PreparedSql } from './prepared-sql.ts';
import type {
  AddressedLink,
  FoundMember,
  LinkTarget,
  Membership,
  Platform,
  Registrant,
} from './entities.ts';
import { isActiveId, isActiveRow, localHash, zeros } from './identifying-text.ts';
import type { SqliteMembers } from './sqlite-members.ts';
import type { MemberTransaction } from './store.ts';

/** Memberships in SQLite, with the `extra` of a registration. */
export class SqliteMemberships implements Table {
  readonly #members: SqliteMembers;
  readonly #of;
  readonly #at;
  readonly #movedFrom;
  readonly #byLocal;
  readonly #someLocal;
  readonly #extra;
  readonly #insert;
  readonly #insertLocal;
  readonly #setVerified;
  readonly #nextVersion;
  readonly #retireLocal;
  readonly #move;
  readonly #giveTo;
  readonly #noteMove;
  readonly #dropMoves;
  readonly #confirmAddress;
  readonly #insertExtra;

  constructor(sql: PreparedSql, members: SqliteMembers) {
    this.#members = members;
    this.#of = sql.many<MembershipRow>(
      `SELECT ${columns} FROM memberships ms JOIN local_users l ON l.membership_id = ms.id
       WHERE ms.member_id = ? ORDER BY ms.linked_at, ms.id LIMIT 3000`,
    );
    this.#at = sql.one<MembershipRow>(
      `SELECT ${columns} FROM memberships ms JOIN local_users l ON l.membership_id = ms.id
       WHERE ms.home_id = ? AND ms.platform_id = ?`,
    );
    this.#movedFrom = sql.one<MembershipRow>(
      `SELECT ${columns} FROM moved_links v JOIN memberships ms ON ms.id = v.membership_id
         JOIN local_users l ON l.membership_id = ms.id
       WHERE v.platform_id = ? AND v.svc_uid = ?`,
    );
    this.#byLocal = sql.one<MembershipRow>(
      `SELECT ${columns} FROM local_users l JOIN memberships ms ON ms.id = l.membership_id
       WHERE l.platform_id = ? AND ${isActiveId}`,
    );
    this.#someLocal = sql.many<{ id: string }>(
      `SELECT l.local_user_id AS id FROM local_users l
       WHERE l.platform_id = ? AND l.local_user_id IS NOT NULL AND ${isActiveRow} LIMIT ?`,
    );
    this.#extra = sql.one<{ extra: string }>(`SELECT extra FROM extras WHERE membership_id = ?`);
    this.#insert = sql.insertion(
      `INSERT INTO memberships (home_id, member_id, platform_id, verified, linked_at, moved_at, came_from, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
    );
    this.#insertLocal =
      sql.change(`INSERT INTO local_users (membership_id, platform_id, local_hash, local_user_id, email_typed)
       VALUES (?, ?, ?, ?, ?)`);
    this.#setVerified = sql.change(
      `UPDATE memberships SET verified = ?1, lowered = lowered OR verified > ?1 WHERE id = ?2`,
    );
    this.#nextVersion = sql.change(
      `UPDATE memberships SET version = version + 1 WHERE id = ? AND version = ?`,
    );
    this.#retireLocal = sql.change(
      `UPDATE local_users SET membership_id = NULL, local_hash = zeroblob(16),
         local_user_id = ${zeros('local_user_id')}, email_typed = ${zeros('email_typed')}
       WHERE membership_id = ?`,
    );
    this.#move = sql.change(
      `UPDATE memberships SET home_id = ?1, member_id = ?2, verified = ?3, linked_at = ?4, moved_at = ?5,
         lowered = home_id = ?1 AND (lowered OR verified > ?3), version = version + 1 WHERE id = ?6`,
    );
    this.#giveTo = sql.change(
      `UPDATE memberships SET home_id = ?, member_id = ?, version = version + 1 WHERE id = ?`,
    );
    // A uid stays with the link that was made under it; one of a merged member yields to it.
    this.#noteMove = sql.change(
      `INSERT INTO moved_links VALUES (?, ?, ?, ?, NULL) ON CONFLICT (platform_id, svc_uid)
       DO UPDATE SET membership_id = excluded.membership_id, moved_at = excluded.moved_at, former_hash = NULL
         WHERE svc_uid = (SELECT svc_uid FROM members WHERE id = ?)`,
    );
    this.#dropMoves = sql.change(
      `DELETE FROM moved_links WHERE (platform_id, svc_uid) IN (
         SELECT platform_id, svc_uid FROM moved_links WHERE membership_id = ?
         ORDER BY moved_at DESC LIMIT 100 OFFSET ?)`,
    );
    this.#confirmAddress = sql.change(`UPDATE memberships SET moved_at = ? WHERE id = ?`);
    this.#insertExtra = sql.change(
      `INSERT INTO extras (membership_id, extra) VALUES (?, ?) ON CONFLICT DO NOTHING`,
    );
  }

  of(memberId: number): readonly Membership[] {
    return this.#of(memberId).map(membershipOf);
  }

  at(homeId: number, platformId: number): Membership | null {
    const row = this.#at(homeId, platformId);
    return row && membershipOf(row);
  }

  byAddress(platform: Platform, emailHash: Uint8Array): AddressedLink | null {
    const member = this.#members.byAddress(platform, emailHash);
    return member && { member, link: this.at(member.homeId, platform.id) };
  }

  registrant(platform: Platform, emailHash: Uint8Array, localUserId: string | null): Registrant {
    const member = this.#members.byAddress(platform, emailHash);
    const link = member && this.at(member.homeId, platform.id);
    const isKnown = link !== null || localUserId === null;
    const userLink = isKnown ? null : this.byLocalUserId(platform.id, localUserId);
    return { member, link, userLink };
  }

  movedFrom(svcUid: string, platformId: number): Membership | null {
    const row = this.#movedFrom(platformId, svcUid);
    return row && membershipOf(row);
  }

  byLocalUserId(platformId: number, localUserId: string): Membership | null {
    const row = this.#byLocal(platformId, localHash(localUserId), localUserId);
    return row && membershipOf(row);
  }

  someLocalUserIds(platformId: number, limit: number): readonly string[] {
    return this.#someLocal(platformId, limit).map(({ id }) => id);
  }

  extra(membershipId: number): string | null {
    return this.#extra(membershipId)?.extra ?? null;
  }

  insert(membership: Omit<Membership, 'id' | 'version' | 'wasVerified'>): number {
    const { homeId, memberId, platformId, verified, linkedAt, addressedAt, cameFrom } = membership;
    const id = this.#insert(
      homeId,
      memberId,
      platformId,
      Number(verified),
      linkedAt,
      addressedAt,
      cameFrom,
    );
    const { localUserId, emailTyped } = membership;
    this.#insertLocal(id, platformId, localHash(localUserId ?? ''), localUserId, emailTyped);
    return id;
  }

  setVerified(membershipId: number, verified: boolean): void {
    this.#setVerified(Number(verified), membershipId);
  }

  rebind(membership: Membership, localUserId: string): boolean {
    const { id, version, platformId, emailTyped } = membership;
    if (this.#nextVersion(id, version) === 0) return false;
    this.#retireLocal(id);
    this.#insertLocal(id, platformId, localHash(localUserId), localUserId, emailTyped);
    return true;
  }

  move(membership: Membership, target: LinkTarget): void {
    const { id, platformId, localUserId } = membership;
    const { homeId, memberId, verified, emailTyped, linkedAt, addressedAt } = target;
    this.#move(homeId, memberId, Number(verified), linkedAt, addressedAt, id);
    this.#retireLocal(id);
    this.#insertLocal(id, platformId, localHash(localUserId ?? ''), localUserId, emailTyped);
  }

  giveTo(membershipId: number, { id, homeId }: FoundMember): void {
    this.#giveTo(homeId, id, membershipId);
  }

  noteMove(
    { id, platformId, homeId }: Membership,
    svcUid: string,
    movedAt: number,
    movesMax: number,
  ): void {
    this.#noteMove(platformId, svcUid, id, movedAt, homeId);
    this.#dropMoves(id, movesMax);
  }

  confirmAddress(membershipId: number, addressedAt: number): void {
    this.#confirmAddress(addressedAt, membershipId);
  }

  insertExtra(membershipId: number, extra: string): void {
    this.#insertExtra(membershipId, extra);
  }
}

type MembershipRow = Omit<Membership, 'verified' | 'wasVerified'> & {
  readonly verified: number;
  readonly wasVerified: number;
};

function membershipOf(row: MembershipRow): Membership {
  return { ...row, verified: row.verified === 1, wasVerified: row.wasVerified === 1 };
}

const columns = `ms.id, ms.member_id AS memberId, ms.home_id AS homeId, ms.platform_id AS platformId,
  l.local_user_id AS localUserId, l.email_typed AS emailTyped,
  ms.verified AND (SELECT assurance = 'trusted' FROM platforms WHERE id = ms.platform_id) AS verified,
  ms.verified OR ms.lowered AS wasVerified, ms.linked_at AS linkedAt,
  ms.moved_at AS addressedAt, ms.came_from AS cameFrom, ms.version`;

type Table = MemberTransaction['memberships'];
