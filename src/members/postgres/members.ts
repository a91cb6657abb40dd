import { randomBytes } from 'node:crypto';
import type { AddressedMember, FoundMember, Member, NewAddress } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { addressClaim, localUserClaim, memberClaim } from './claims.ts';
import { readClaimed, type Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** Members in PostgreSQL, with their addresses. */
export function membersOf(runner: Runner): MemberTransaction['members'] {
  return {
    byId: (id) => readClaimed(runner, () => runner.one(byId, id), memberClaim),
    byUid: (svcUid) => readClaimed(runner, () => runner.one(byUid, svcUid), memberClaim),
    async byEmail(realm, hash) {
      await runner.claim(addressClaim(realm, hash));
      return readClaimed(runner, () => runner.one(byEmail, realm, hash), memberClaim);
    },
    async byAddress({ id, realm }, hash) {
      await runner.claim(addressClaim(realm, hash));
      return readClaimed(runner, () => runner.one(byAddress, realm, hash, id), memberClaim);
    },
    formerlyAt: (realm, hash, limit) => runner.many(formerlyAt, realm, hash, limit),
    formerOf: ({ id }, hash) => runner.one(formerOf, id, hash),
    async byLocalUserId(platformId, localUserId) {
      await runner.claim(localUserClaim(platformId, localUserId));
      const read = () => runner.one(byLocalUser, platformId, localUserId);
      return readClaimed(runner, read, memberClaim);
    },
    email: async (id) => (await runner.one(email, id))?.email ?? null,
    list: (after, limit) => runner.many(list, after, limit),
    count: async () => (await runner.one(count))!.count,
    historyVersion: async () => (await runner.one(history))!.version,
    async insert(member) {
      const { svcUid, realm, email: address, emailHash, tier, platforms, createdAt } = member;
      await runner.claim(addressClaim(realm, emailHash));
      const hashes = hashesOf(member);
      const values = [svcUid, realm, ...hashes, address, tier, platforms, createdAt];
      const row = (await runner.one(insert, ...values))!;
      await runner.claim(memberClaim(row));
      return row.id;
    },
    changeAddress: (homeId, address) =>
      runner.run(changeAddress, ...hashesOf(address), address.email, homeId),
    async giveUpAddress({ id, homeId }) {
      await runner.run(giveUp, hashOfNone(), homeId);
      await runner.run(noteGivenUp, homeId, id);
    },
    regainAddress: (homeId) => runner.run(regain, homeId),
    releaseAddress: (homeId) => runner.run(changeAddress, hashOfNone(), null, null, homeId),
    setTier: (memberId, tier) => runner.run(setTier, tier, memberId),
    setStatus: (memberId, status) => runner.run(setStatus, status, memberId),
    refreshPlatforms: (memberId) => runner.run(refreshPlatforms, memberId),
    touchHistory() {
      runner.add(touchHistory, [], 1);
    },
  };
}

/** The hash that finds the member, and that of an address it has given up. */
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

const byId = besideStatement<Member>(`SELECT ${columns} FROM members m WHERE m.id = $1`);
const byUid = besideStatement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM members home ${joinMember} WHERE home.svc_uid = $1`,
);
const byEmail = besideStatement<FoundMember>(
  `SELECT home.id AS home_id, ${columns} FROM members home ${joinMember}
   WHERE home.realm = $1 AND home.email_hash = $2`,
);
// The link of the platform comes first: both parts exist when the address has another member since.
const byAddress = besideStatement<AddressedMember>(
  `SELECT home.id AS home_id, 1 AS gave_up, ${columns} FROM members home
     JOIN memberships ms ON ms.home_id = home.id AND ms.platform_id = $3 ${joinMember}
   WHERE home.realm = $1 AND home.former_hash = $2
   UNION ALL SELECT home.id, 0, ${columns} FROM members home ${joinMember}
   WHERE home.realm = $1 AND home.email_hash = $2 ORDER BY gave_up DESC LIMIT 1`,
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
  `SELECT ms.home_id, ${columns} FROM memberships ms JOIN members m ON m.id = ms.member_id
   WHERE ms.platform_id = $1 AND ms.local_user_id = $2`,
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
  `INSERT INTO members (svc_uid, realm, email_hash, former_hash, email, tier, status, platforms, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8) RETURNING id`,
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
     (SELECT coalesce(bit_or(1 << platform_id), 0) FROM memberships WHERE member_id = $1) WHERE id = $1`,
);
const touchHistory = besideStatement(
  `UPDATE versions SET version = version + $1 WHERE name = 'history'`,
);
