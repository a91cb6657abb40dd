import { randomBytes } from 'node:crypto';
import type { PreparedSql } from './prepared-sql.ts';
import type {
  AddressedMember,
  FoundMember,
  Member,
  Membership,
  NewAddress,
  NewMember,
  Platform,
} from './entities.ts';
import { currentEmail, isActiveId, localHash, overwriteAddresses } from './identifying-text.ts';
import type { MemberTransaction } from './store.ts';

/** Members in SQLite; their addresses have a table of their own. */
export class SqliteMembers implements Table {
  readonly #byId;
  readonly #byUid;
  readonly #byEmail;
  readonly #byAddress;
  readonly #formerlyAt;
  readonly #formerOf;
  readonly #byLocalUser;
  readonly #email;
  readonly #list;
  readonly #count;
  readonly #history;
  readonly #insert;
  readonly #insertAddress;
  readonly #setHash;
  readonly #giveUp;
  readonly #noteGivenUp;
  readonly #regain;
  readonly #overwriteAddresses;
  readonly #insertChanged;
  readonly #setTier;
  readonly #setStatus;
  readonly #refreshPlatforms;
  readonly #touchHistory;

  constructor(sql: PreparedSql) {
    this.#byId = sql.one<Member>(`SELECT ${memberColumns} FROM members m WHERE m.id = ?`);
    this.#byUid = sql.one<FoundMember>(
      `SELECT home.id AS homeId, ${memberColumns}
       FROM members home JOIN members m ON m.id = ifnull(home.merged_into, home.id) WHERE home.svc_uid = ?`,
    );
    this.#byEmail = sql.one<FoundMember>(
      `SELECT home.id AS homeId, ${memberColumns}
       FROM members home JOIN members m ON m.id = ifnull(home.merged_into, home.id)
       WHERE home.realm = ? AND home.email_hash = ?`,
    );
    // The link of the platform comes first: both parts exist when the address has another member since.
    this.#byAddress = sql.one<AddressedMember>(
      `SELECT home.id AS homeId, 1 AS gaveUp, ${memberColumns}
       FROM members home JOIN memberships ms ON ms.home_id = home.id AND ms.platform_id = ?3
         JOIN members m ON m.id = ifnull(home.merged_into, home.id)
       WHERE home.realm = ?1 AND home.former_hash = ?2
       UNION ALL SELECT home.id, 0, ${memberColumns}
       FROM members home JOIN members m ON m.id = ifnull(home.merged_into, home.id)
       WHERE home.realm = ?1 AND home.email_hash = ?2 LIMIT 1`,
    );
    this.#formerlyAt = sql.many<FoundMember>(
      `SELECT home.id AS homeId, ${memberColumns}
       FROM members home JOIN members m ON m.id = ifnull(home.merged_into, home.id)
       WHERE home.realm = ? AND home.former_hash = ? LIMIT ?`,
    );
    this.#formerOf = sql.one<FoundMember>(
      `SELECT home.id AS homeId, ${memberColumns}
       FROM moved_links v JOIN members home ON home.svc_uid = v.svc_uid AND home.former_hash = v.former_hash
         JOIN members m ON m.id = ifnull(home.merged_into, home.id)
       WHERE v.membership_id = ? AND v.former_hash = ? ORDER BY v.moved_at DESC LIMIT 1`,
    );
    this.#byLocalUser = sql.one<FoundMember>(
      `SELECT ms.home_id AS homeId, ${memberColumns}
       FROM local_users l JOIN memberships ms ON ms.id = l.membership_id JOIN members m ON m.id = ms.member_id
       WHERE l.platform_id = ? AND ${isActiveId}`,
    );
    this.#email = sql.one<{ email: string }>(
      `SELECT ${currentEmail} AS email FROM addresses a WHERE a.member_id = ? AND instr(${currentEmail}, '@') > 0`,
    );
    this.#list = sql.many<Member>(
      `SELECT ${memberColumns} FROM members m WHERE m.id > ? AND m.merged_into IS NULL ORDER BY m.id LIMIT ?`,
    );
    this.#count = sql.one<{ count: number }>(
      `SELECT count(*) AS count FROM members WHERE merged_into IS NULL`,
    );
    this.#history = sql.one<{ version: number }>(
      `SELECT version FROM versions WHERE name = 'history'`,
    );
    this.#insert = sql.insertion(
      `INSERT INTO members (svc_uid, realm, email_hash, former_hash, tier, status, platforms, session_epoch, created_at)
       VALUES (?, ?, ?, ?, ?, 'active', ?, 0, ?)`,
    );
    this.#insertAddress = sql.change(`INSERT INTO addresses VALUES (?, ?)`);
    this.#setHash = sql.change(`UPDATE members SET email_hash = ?, former_hash = ? WHERE id = ?`);
    this.#giveUp = sql.change(
      `UPDATE members SET former_hash = email_hash, email_hash = ? WHERE id = ? AND former_hash IS NULL`,
    );
    this.#noteGivenUp = sql.change(
      `UPDATE moved_links SET former_hash = home.former_hash FROM members home
       WHERE home.id = ? AND moved_links.membership_id = ? AND moved_links.svc_uid = home.svc_uid`,
    );
    this.#regain = sql.change(
      `UPDATE members SET email_hash = former_hash, former_hash = NULL WHERE id = ?`,
    );
    this.#overwriteAddresses = overwriteAddresses.map((text) => sql.change(text));
    this.#insertChanged = sql.change(
      `INSERT INTO changed_addresses (member_id, email) VALUES (?, ?)`,
    );
    this.#setTier = sql.change(`UPDATE members SET tier = ? WHERE id = ?`);
    this.#setStatus = sql.change(`UPDATE members SET status = ? WHERE id = ?`);
    this.#refreshPlatforms = sql.change(
      `UPDATE members SET platforms =
         (SELECT ifnull(sum(DISTINCT 1 << platform_id), 0) FROM memberships WHERE member_id = ?1) WHERE id = ?1`,
    );
    this.#touchHistory = sql.change(
      `UPDATE versions SET version = version + 1 WHERE name = 'history'`,
    );
  }

  byId(id: number): Member | null {
    return this.#byId(id);
  }

  byUid(svcUid: string): FoundMember | null {
    return this.#byUid(svcUid);
  }

  byEmail(realm: string, emailHash: Uint8Array): FoundMember | null {
    return this.#byEmail(realm, emailHash);
  }

  byAddress({ id, realm }: Platform, emailHash: Uint8Array): AddressedMember | null {
    return this.#byAddress(realm, emailHash, id);
  }

  formerlyAt(realm: string, hash: Uint8Array, limit: number): readonly FoundMember[] {
    return this.#formerlyAt(realm, hash, limit);
  }

  formerOf({ id }: Membership, emailHash: Uint8Array): FoundMember | null {
    return this.#formerOf(id, emailHash);
  }

  byLocalUserId(platformId: number, localUserId: string): FoundMember | null {
    return this.#byLocalUser(platformId, localHash(localUserId), localUserId);
  }

  email(id: number): string | null {
    return this.#email(id)?.email ?? null;
  }

  list(after: number, limit: number): readonly Member[] {
    return this.#list(after, limit);
  }

  count(): number {
    return this.#count()!.count;
  }

  historyVersion(): number {
    return this.#history()!.version;
  }

  insert(member: NewMember): number {
    const { svcUid, realm, email, tier, platforms, createdAt } = member;
    const id = this.#insert(svcUid, realm, ...hashesOf(member), tier, platforms, createdAt);
    this.#insertAddress(id, email);
    return id;
  }

  changeAddress(homeId: number, address: NewAddress): void {
    this.#setHash(...hashesOf(address), homeId);
    for (const overwrite of this.#overwriteAddresses) overwrite(homeId);
    this.#insertChanged(homeId, address.email);
  }

  giveUpAddress({ id, homeId }: Membership): void {
    this.#giveUp(hashOfNone(), homeId);
    this.#noteGivenUp(homeId, id);
  }

  regainAddress(homeId: number): void {
    this.#regain(homeId);
  }

  releaseAddress(homeId: number): void {
    this.#setHash(hashOfNone(), null, homeId);
    for (const overwrite of this.#overwriteAddresses) overwrite(homeId);
  }

  setTier(memberId: number, tier: string): void {
    this.#setTier(tier, memberId);
  }

  setStatus(memberId: number, status: Member['status']): void {
    this.#setStatus(status, memberId);
  }

  refreshPlatforms(memberId: number): void {
    this.#refreshPlatforms(memberId);
  }

  touchHistory(): void {
    this.#touchHistory();
  }
}

/** The hash that finds the member, and the hash of an address that it has given up. */
function hashesOf({ emailHash, isGivenUp }: NewAddress): [Uint8Array, Uint8Array | null] {
  return isGivenUp ? [hashOfNone(), emailHash] : [emailHash, null];
}

/** Random hash, because a member needs one and no address may have it. */
function hashOfNone(): Buffer {
  return randomBytes(32);
}

/** Columns of a member called `m`. */
const memberColumns = `m.id, m.svc_uid AS svcUid, m.realm, m.tier, m.status, m.platforms,
  m.session_epoch AS epoch, m.created_at AS createdAt, m.merged_into AS mergedInto, m.entitled`;

type Table = MemberTransaction['members'];
