import { randomBytes } from 'node:crypto';
import type { AddressedMember, FoundMember, Member, NewAddress } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { addressClaim, localUserClaim, memberClaim } from './claims.ts';
import { insertRow, readClaimed } from './part.ts';
import { besideStatement, statement } from './statement.ts';
import { tableOver } from './table-over.ts';

/** Members in PostgreSQL, with their addresses. */
export const membersOf = tableOver<MemberTransaction['members']>({
  byId(id) {
    return readClaimed(this.runner, () => this.runner.one(byId, id), memberClaim);
  },
  byUid(svcUid) {
    return readClaimed(this.runner, () => this.runner.one(byUid, svcUid), memberClaim);
  },
  async byEmail(realm, hash) {
    await this.runner.claim(addressClaim(realm, hash));
    return readClaimed(this.runner, () => this.runner.one(byEmail, realm, hash), memberClaim);
  },
  async byAddress({ id, realm }, hash) {
    await this.runner.claim(addressClaim(realm, hash));
    return readClaimed(this.runner, () => this.runner.one(byAddress, realm, hash, id), memberClaim);
  },
  formerlyAt(realm, hash, limit) {
    return this.runner.many(formerlyAt, realm, hash, limit);
  },
  formerOf({ id }, hash) {
    return this.runner.one(formerOf, id, hash);
  },
  async byLocalUserId(platformId, localUserId) {
    await this.runner.claim(localUserClaim(platformId, localUserId));
    const read = () => this.runner.one(byLocalUser, platformId, localUserId);
    return readClaimed(this.runner, read, memberClaim);
  },
  async email(id) {
    return (await this.runner.one(email, id))?.email ?? null;
  },
  list(after, limit) {
    return this.runner.many(list, after, limit);
  },
  async count() {
    return (await this.runner.one(count))!.count;
  },
  async historyVersion() {
    return (await this.runner.one(history))!.version;
  },
  async insert(member) {
    const { svcUid, realm, email: address, emailHash, tier, platforms, createdAt } = member;
    await this.runner.claim(addressClaim(realm, emailHash));
    const hashes = hashesOf(member);
    const values = [svcUid, realm, ...hashes, address, tier, platforms, createdAt];
    const id = await insertRow(this.runner, 'member', insert, values);
    await this.runner.claim(memberClaim({ id }));
    return id;
  },
  changeAddress(homeId, address) {
    return this.runner.run(changeAddress, ...hashesOf(address), address.email, homeId);
  },
  async giveUpAddress({ id, homeId }) {
    await this.runner.run(giveUp, hashOfNone(), homeId);
    await this.runner.run(noteGivenUp, homeId, id);
  },
  regainAddress(homeId) {
    return this.runner.run(regain, homeId);
  },
  releaseAddress(homeId) {
    return this.runner.run(changeAddress, hashOfNone(), null, null, homeId);
  },
  setTier(memberId, tier) {
    return this.runner.run(setTier, tier, memberId);
  },
  setStatus(memberId, status) {
    return this.runner.run(setStatus, status, memberId);
  },
  refreshPlatforms(memberId) {
    return this.runner.run(refreshPlatforms, memberId);
  },
  touchHistory() {
    this.runner.add(touchHistory, [], 1);
  },
});

/** The hash that finds the member, and the hash of an address that it has given up. */
function hashesOf({ emailHash, isGivenUp }: NewAddress): readonly [Uint8Array, Uint8Array | null] {
  return isGivenUp ? [hashOfNone(), emailHash] : [emailHash, null];
}

/** Random hash, because a member needs one and no address may have it. */
function hashOfNone(): Buffer {
  return randomBytes(32);
}

/** Columns of a member called `m`. */
const columns = `m.id, m.svc_uid, m.realm, m.tier, m.status, m.platforms, m.session_epoch AS epoch, m.created_at, m.merged_into,
  m.entitled`;
/** The member of a record called `home`: itself, or the one that it was merged into. */
const joinMember = `JOIN members m ON m.id = coalesce(home.merged_into, home.id)`;

/** Columns of `given` in a search by an address. */
export const addressColumns = { in_realm: 'text', hash: 'bytea', platform: 'integer' } as const;

/** The member `found` by each address that is given. */
export const foundByAddress = `LATERAL (
     SELECT home.id AS home_id, 1 AS gave_up, ${columns} FROM members home
       JOIN memberships ms ON ms.home_id = home.id AND ms.platform_id = given.platform ${joinMember}
     WHERE home.realm = given.in_realm AND home.former_hash = given.hash
     UNION ALL SELECT home.id, 0, ${columns} FROM members home ${joinMember}
     WHERE home.realm = given.in_realm AND home.email_hash = given.hash ORDER BY gave_up DESC LIMIT 1) found`;

export const nextMemberId = `nextval('members_id_seq')`;

const byId = besideStatement<Member>(
  `SELECT ${columns} FROM given JOIN members m ON m.id = given.member_id`,
  { member_id: 'bigint' },
);
const byUid = besideStatement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM given JOIN members home ON home.svc_uid = given.uid ${joinMember}`,
  { uid: 'text' },
);
const byEmail = besideStatement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM given
     JOIN members home ON home.realm = given.in_realm AND home.email_hash = given.hash ${joinMember}`,
  { in_realm: 'text', hash: 'bytea' },
);
// The link of the platform comes first: both parts exist when the address has another member since.
const byAddress = besideStatement<AddressedMember>(
  `SELECT found.* FROM given CROSS JOIN ${foundByAddress}`,
  addressColumns,
);
const formerlyAt = statement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM members home ${joinMember}
   WHERE home.realm = $1 AND home.former_hash = $2 LIMIT $3`,
);
const formerOf = statement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM moved_links v
     JOIN members home ON home.svc_uid = v.svc_uid AND home.former_hash = v.former_hash ${joinMember}
   WHERE v.membership_id = $1 AND v.former_hash = $2 ORDER BY v.moved_at DESC LIMIT 1`,
);
const byLocalUser = besideStatement<FoundMember>(
  `SELECT ms.home_id, ${columns} FROM given
     JOIN memberships ms ON ms.platform_id = given.platform AND ms.local_user_id = given.local_id
     JOIN members m ON m.id = ms.member_id`,
  { platform: 'integer', local_id: 'text' },
);
const email = statement<{ readonly email: string | null }>(
  `SELECT email FROM members WHERE id = $1`,
);
const list = statement<Member>(
  `SELECT ${columns} FROM members m WHERE m.id > $1 AND m.merged_into IS NULL ORDER BY m.id LIMIT $2`,
);
const count = statement<{ readonly count: number }>(
  `SELECT count(*) AS count FROM members WHERE merged_into IS NULL`,
);
const history = statement<{ readonly version: number }>(
  `SELECT version FROM versions WHERE name = 'history'`,
);
const insert = besideStatement<{ readonly id: number }>(
  `INSERT INTO members (id, svc_uid, realm, email_hash, former_hash, email, tier, status, platforms, created_at)
   SELECT coalesce(id, ${nextMemberId}), svc_uid, realm, email_hash, former_hash, email, tier, 'active', platforms,
     created_at
   FROM given RETURNING svc_uid, id`,
  {
    id: 'bigint',
    svc_uid: 'text',
    realm: 'text',
    email_hash: 'bytea',
    former_hash: 'bytea',
    email: 'text',
    tier: 'text',
    platforms: 'integer',
    created_at: 'bigint',
  },
  ['svc_uid'],
);
const changeAddress = statement(
  `UPDATE members SET email_hash = $1, former_hash = $2, email = $3 WHERE id = $4`,
);
const giveUp = statement(
  `UPDATE members SET former_hash = email_hash, email_hash = $1 WHERE id = $2 AND former_hash IS NULL`,
);
const noteGivenUp = statement(
  `UPDATE moved_links SET former_hash = home.former_hash FROM members home
   WHERE home.id = $1 AND moved_links.membership_id = $2 AND moved_links.svc_uid = home.svc_uid`,
);
const regain = statement(
  `UPDATE members SET email_hash = former_hash, former_hash = NULL WHERE id = $1`,
);
const setTier = statement(`UPDATE members SET tier = $1 WHERE id = $2`);
const setStatus = statement(`UPDATE members SET status = $1 WHERE id = $2`);
const refreshPlatforms = besideStatement(
  `UPDATE members SET platforms =
     (SELECT coalesce(bit_or(1 << platform_id), 0) FROM memberships ms WHERE ms.member_id = given.member_id)
   FROM given WHERE id = given.member_id`,
  { member_id: 'bigint' },
  ['member_id'],
);
const touchHistory = besideStatement(
  `UPDATE versions SET version = version + $1 WHERE name = 'history'`,
);
