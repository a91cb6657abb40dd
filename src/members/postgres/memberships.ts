import type { AddressedLink, AddressedMember, Membership, Registrant } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { addressClaim, localUserClaim, memberClaim } from './claims.ts';
import { addressColumns, foundByAddress, nextMemberId } from './members.ts';
import { insertRow, readClaimed } from './part.ts';
import { besideStatement, statement } from './statement.ts';
import { tableOver } from './table-over.ts';

/** Memberships in PostgreSQL, with the `extra` of a registration. */
export const membershipsOf = tableOver<MemberTransaction['memberships']>({
  async of(memberId) {
    await this.runner.claim(memberClaim({ id: memberId }));
    return this.runner.many(ofMember, memberId);
  },
  at(homeId, platformId) {
    return readClaimed(this.runner, () => this.runner.one(at, homeId, platformId), claimOwner);
  },
  async byAddress({ id, realm }, hash) {
    await this.runner.claim(addressClaim(realm, hash));
    const read = () => this.runner.one(byAddress, realm, hash, id);
    const row = await readClaimed(this.runner, read, memberClaim);
    return row && addressedLinkOf(row, id);
  },
  movedFrom(svcUid, platformId) {
    return readClaimed(
      this.runner,
      () => this.runner.one(movedFrom, platformId, svcUid),
      claimOwner,
    );
  },
  async byLocalUserId(platformId, localUserId) {
    await this.runner.claim(localUserClaim(platformId, localUserId));
    return readClaimed(
      this.runner,
      () => this.runner.one(byLocal, platformId, localUserId),
      claimOwner,
    );
  },
  async someLocalUserIds(platformId, limit) {
    const rows = await this.runner.many(someLocal, platformId, limit);
    return rows.map(({ localUserId }) => localUserId);
  },
  async extra(membershipId) {
    return (await this.runner.one(extra, membershipId))?.extra ?? null;
  },
  async registrant({ id: platformId, realm }, hash, localUserId) {
    await this.runner.claim(addressClaim(realm, hash));
    for (;;) {
      const row = (await this.runner.one(registrant, realm, hash, platformId, localUserId))!;
      const { member, link, userLink } = registrantOf(row, platformId);
      // Others may have changed what was read before it was claimed.
      const claims = [
        ...(member === null ? [] : [memberClaim(member)]),
        ...(link !== null || localUserId === null ? [] : [localUserClaim(platformId, localUserId)]),
        ...(userLink === null ? [] : [claimOwner(userLink)]),
      ];
      let hasWaited = false;
      for (const claimed of claims) hasWaited = (await this.runner.claim(claimed)) || hasWaited;
      if (hasWaited) continue;
      this.runner.nextIds.member = row.nextMemberId;
      this.runner.nextIds.membership = row.nextMembershipId;
      return { member, link, userLink };
    }
  },
  async insert(membership) {
    const { homeId, memberId, platformId, localUserId, emailTyped, verified } = membership;
    const { linkedAt, addressedAt, cameFrom } = membership;
    await this.runner.claim(memberClaim({ id: memberId }));
    if (localUserId !== null) await this.runner.claim(localUserClaim(platformId, localUserId));
    const place = [homeId, memberId, platformId, localUserId, emailTyped, verified];
    const values = [...place, linkedAt, addressedAt, cameFrom];
    return insertRow(this.runner, 'membership', insert, values);
  },
  setVerified(membershipId, verified) {
    return this.runner.run(setVerified, verified, membershipId);
  },
  async rebind({ id, version, platformId }, localUserId) {
    await this.runner.claim(localUserClaim(platformId, localUserId));
    return (await this.runner.change(rebind, localUserId, id, version)) > 0;
  },
  move({ id }, { homeId, memberId, verified, emailTyped, linkedAt, addressedAt }) {
    return this.runner.run(move, homeId, memberId, verified, emailTyped, linkedAt, addressedAt, id);
  },
  giveTo(membershipId, { id, homeId }) {
    return this.runner.run(giveTo, homeId, id, membershipId);
  },
  async noteMove({ id, platformId, homeId }, svcUid, movedAt, movesMax) {
    await this.runner.run(noteMove, platformId, svcUid, id, movedAt, homeId);
    await this.runner.run(dropMoves, id, movesMax);
  },
  confirmAddress(membershipId, addressedAt) {
    return this.runner.run(confirmAddress, addressedAt, membershipId);
  },
  insertExtra(membershipId, text) {
    return this.runner.run(insertExtra, membershipId, text);
  },
});

function claimOwner({ memberId }: Membership): string {
  return memberClaim({ id: memberId });
}

/** Row of a search by an address: a member, and the columns of its link if it has one. */
type AddressedRow = AddressedMember & {
  readonly linkId: number | null;
  readonly linkVerified: boolean;
} & Omit<Membership, 'id' | 'memberId' | 'homeId' | 'platformId' | 'verified'>;

/** Row of a search for a registration: the member and the link are null if there is none. */
interface RegistrantRow extends Omit<AddressedMember, 'id' | 'homeId'>, Omit<AddressedRow, 'id'> {
  readonly id: number | null;
  readonly linkHomeId: number;
  readonly linkMemberId: number;
  /** Ids for a new member and its link, if they will be needed. */
  readonly nextMemberId: number | null;
  readonly nextMembershipId: number | null;
}

function registrantOf(row: RegistrantRow, platformId: number): Registrant {
  const { id, homeId, gaveUp, svcUid, realm, tier, status, platforms, epoch } = row;
  const { createdAt, mergedInto, entitled } = row;
  const facts = { svcUid, realm, tier, status, platforms, epoch, createdAt, mergedInto, entitled };
  const member = id === null ? null : { id, homeId, gaveUp, ...facts };
  if (row.linkId === null) return { member, link: null, userLink: null };
  const found = {
    id: row.linkId,
    memberId: row.linkMemberId,
    homeId: row.linkHomeId,
    platformId,
    localUserId: row.localUserId,
    emailTyped: row.emailTyped,
    verified: row.linkVerified,
    wasVerified: row.wasVerified,
    linkedAt: row.linkedAt,
    addressedAt: row.addressedAt,
    cameFrom: row.cameFrom,
    version: row.version,
  };
  // A member has one link of a platform, so that another one is of another member.
  const isOwn = found.homeId === homeId;
  return { member, link: isOwn ? found : null, userLink: isOwn ? null : found };
}

function addressedLinkOf(row: AddressedRow, platformId: number): AddressedLink {
  const { linkId: id, linkVerified: verified, localUserId, emailTyped, wasVerified, ...rest } = row;
  const { linkedAt, addressedAt, cameFrom, version, ...member } = rest;
  if (id === null) return { member, link: null };
  const { id: memberId, homeId } = member;
  const place = { id, memberId, homeId, platformId, localUserId, emailTyped };
  return {
    member,
    link: { ...place, verified, wasVerified, linkedAt, addressedAt, cameFrom, version },
  };
}

const verified = `ms.verified AND (SELECT assurance = 'trusted' FROM platforms WHERE id = ms.platform_id)`;
const details = `ms.local_user_id, ms.email_typed, ms.verified OR ms.lowered AS was_verified, ms.linked_at,
  ms.addressed_at, ms.came_from, ms.version`;
const columns = `ms.id, ms.member_id, ms.home_id, ms.platform_id, ${verified} AS verified, ${details}`;

const nextMembershipId = `nextval('memberships_id_seq')`;

const ofMember = besideStatement<Membership>(
  `SELECT found.* FROM given CROSS JOIN LATERAL (
     SELECT ${columns} FROM memberships ms WHERE ms.member_id = given.member ORDER BY ms.linked_at, ms.id LIMIT 3000)
   found`,
  { member: 'bigint' },
);
const at = besideStatement<Membership>(
  `SELECT ${columns} FROM given
     JOIN memberships ms ON ms.home_id = given.home AND ms.platform_id = given.platform`,
  { home: 'bigint', platform: 'integer' },
);
const byAddress = besideStatement<AddressedRow>(
  `SELECT found.*, ms.id AS link_id, ${verified} AS link_verified, ${details}
   FROM given CROSS JOIN ${foundByAddress}
     LEFT JOIN memberships ms ON ms.home_id = found.home_id AND ms.platform_id = given.platform`,
  addressColumns,
);
const registrant = besideStatement<RegistrantRow>(
  `SELECT found.*, coalesce(own.id, other.id) AS link_id, coalesce(own.home_id, other.home_id) AS link_home_id,
     coalesce(own.member_id, other.member_id) AS link_member_id,
     CASE WHEN own.id IS NULL THEN other.local_user_id ELSE own.local_user_id END AS local_user_id,
     CASE WHEN own.id IS NULL THEN other.email_typed ELSE own.email_typed END AS email_typed,
     coalesce(own.verified, other.verified) AND (SELECT assurance = 'trusted' FROM platforms WHERE id = given.platform)
       AS link_verified,
     coalesce(own.verified OR own.lowered, other.verified OR other.lowered) AS was_verified,
     coalesce(own.linked_at, other.linked_at) AS linked_at,
     CASE WHEN own.id IS NULL THEN other.addressed_at ELSE own.addressed_at END AS addressed_at,
     CASE WHEN own.id IS NULL THEN other.came_from ELSE own.came_from END AS came_from,
     coalesce(own.version, other.version) AS version,
     CASE WHEN found.id IS NULL THEN ${nextMemberId} END AS next_member_id,
     CASE WHEN own.id IS NULL THEN ${nextMembershipId} END AS next_membership_id
   FROM given LEFT JOIN ${foundByAddress} ON true
     LEFT JOIN memberships own ON own.home_id = found.home_id AND own.platform_id = given.platform
     LEFT JOIN LATERAL (
       SELECT * FROM memberships ms
       WHERE own.id IS NULL AND ms.platform_id = given.platform AND ms.local_user_id = given.local_id) other ON true`,
  { ...addressColumns, local_id: 'text' },
);
const movedFrom = besideStatement<Membership>(
  `SELECT ${columns} FROM moved_links v JOIN memberships ms ON ms.id = v.membership_id
   WHERE v.platform_id = $1 AND v.svc_uid = $2`,
);
const byLocal = besideStatement<Membership>(
  `SELECT ${columns} FROM given
     JOIN memberships ms ON ms.platform_id = given.platform AND ms.local_user_id = given.local_id`,
  { platform: 'integer', local_id: 'text' },
);
const someLocal = statement<{ readonly localUserId: string }>(
  `SELECT local_user_id FROM memberships WHERE platform_id = $1 AND local_user_id IS NOT NULL LIMIT $2`,
);
const extra = statement<{ readonly extra: string }>(
  `SELECT extra FROM extras WHERE membership_id = $1`,
);
const insert = besideStatement<{ readonly id: number }>(
  `INSERT INTO memberships
     (id, home_id, member_id, platform_id, local_user_id, email_typed, verified, linked_at, addressed_at, came_from)
   SELECT coalesce(id, ${nextMembershipId}), home_id, member_id, platform_id, local_user_id, email_typed, verified,
     linked_at, addressed_at, came_from
   FROM given RETURNING home_id, platform_id, id`,
  {
    id: 'bigint',
    home_id: 'bigint',
    member_id: 'bigint',
    platform_id: 'integer',
    local_user_id: 'text',
    email_typed: 'text',
    verified: 'boolean',
    linked_at: 'bigint',
    addressed_at: 'bigint',
    came_from: 'integer',
  },
  ['home_id', 'platform_id'],
);
const setVerified = besideStatement(
  `UPDATE memberships SET verified = $1, lowered = lowered OR verified AND NOT $1 WHERE id = $2`,
);
const rebind = besideStatement(
  `UPDATE memberships SET local_user_id = $1, version = version + 1 WHERE id = $2 AND version = $3`,
);
const move = statement(
  `UPDATE memberships SET home_id = $1, member_id = $2, verified = $3, email_typed = $4, linked_at = $5,
     addressed_at = $6, lowered = home_id = $1 AND (lowered OR verified AND NOT $3), version = version + 1
   WHERE id = $7`,
);
const giveTo = statement(
  `UPDATE memberships SET home_id = $1, member_id = $2, version = version + 1 WHERE id = $3`,
);
// A uid stays with the link that was made under it; one of a merged member yields to it.
const noteMove = statement(
  `INSERT INTO moved_links AS known VALUES ($1, $2, $3, $4, NULL) ON CONFLICT (platform_id, svc_uid)
   DO UPDATE SET membership_id = excluded.membership_id, moved_at = excluded.moved_at, former_hash = NULL
     WHERE known.svc_uid = (SELECT svc_uid FROM members WHERE id = $5)`,
);
const dropMoves = statement(
  `DELETE FROM moved_links WHERE (platform_id, svc_uid) IN (
     SELECT platform_id, svc_uid FROM moved_links WHERE membership_id = $1
     ORDER BY moved_at DESC LIMIT 100 OFFSET $2)`,
);
const confirmAddress = besideStatement(
  `UPDATE memberships SET addressed_at = given.moment FROM given WHERE id = given.membership`,
  { moment: 'bigint', membership: 'bigint' },
  ['membership'],
);
const insertExtra = besideStatement(
  `INSERT INTO extras SELECT membership, content FROM given ON CONFLICT (membership_id) DO NOTHING`,
  { membership: 'bigint', content: 'text' },
  ['membership'],
);
