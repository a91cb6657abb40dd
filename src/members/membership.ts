import { Problem } from '../kernel/problem.ts';
import { requireLocalUserId } from './body.ts';
import { findMember } from './find-member.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';
import { absence } from './tombstone.ts';

/** A member found by one of its memberships, whose home is `member.homeId`. */
interface LinkedMember {
  readonly member: FoundMember;
  readonly link: Membership;
}

/**
 * The member and the membership that a platform means by a `svc_uid`. The uid may be one that its user had before the
 * address changed: calls that waited have it. Only the history of the platform's own links counts, and a present link
 * comes first. 404 `member_not_found`, or 410 `member_erased`, without a membership.
 */
export async function requireLink(
  reads: MemberReads,
  platform: Platform,
  svcUid: string,
): Promise<LinkedMember> {
  const member = await findMember(reads, svcUid);
  const link = member && (await membershipOn(reads, member, platform));
  if (link !== null) return { member: { ...member!, homeId: link.homeId }, link };
  const moved = await reads.memberships.movedFrom(svcUid, platform.id);
  // The same statements as for an unknown member, so that both take as long.
  if (moved === null) throw await absence(reads, svcUid, platform);
  return ownerOf(reads, moved);
}

/**
 * The same for a call that must not reach another user, such as a grant. Where the uid means two users, the local id
 * decides: 409 `ambiguous_svc_uid` without it, `version_conflict` if none of them has it.
 */
export async function requireUsersLink(
  reads: MemberReads,
  platform: Platform,
  svcUid: string,
  expected: ExpectedLocalId,
): Promise<LinkedMember> {
  const { found, former } = await linksMeant(reads, platform, svcUid);
  // Both users may have no id.
  if (former !== null && (expected === undefined || expected === null)) throw ambiguousUid();
  if (expected === undefined) return found;
  const links = await membershipsOn(reads, found.member, platform);
  return ownerOf(reads, withLocalId(former === null ? links : [...links, former.link], expected));
}

/** The link of `requireLink`, and the one of a user who had the uid before, if another user has it now. */
export async function linksMeant(
  reads: MemberReads,
  platform: Platform,
  svcUid: string,
): Promise<{ readonly found: LinkedMember; readonly former: LinkedMember | null }> {
  const found = await requireLink(reads, platform, svcUid);
  const links = await membershipsOn(reads, found.member, platform);
  const moved = await reads.memberships.movedFrom(svcUid, platform.id);
  const isPresent = moved === null || links.some(({ id }) => id === moved.id);
  return { found, former: isPresent ? null : await ownerOf(reads, moved) };
}

async function ownerOf(reads: MemberReads, link: Membership): Promise<LinkedMember> {
  // Memberships refer to their member.
  const member = (await reads.members.byId(link.memberId))!;
  return { member: { ...member, homeId: link.homeId }, link };
}

/** A member's membership on a platform. Prefers the membership by which the member was found (`homeId`), else the first one linked on that platform. */
export async function membershipOn(
  reads: MemberReads,
  member: FoundMember,
  platform: Platform,
): Promise<Membership | null> {
  if ((member.platforms & (1 << platform.id)) === 0) return null;
  const own = await reads.memberships.at(member.homeId, platform.id);
  if (own !== null) return own;
  const [first] = await membershipsOn(reads, member, platform);
  return first ?? null;
}

/** A member's memberships on a platform in the order of linking; a member merged from others can have several. */
export async function membershipsOn(
  reads: MemberReads,
  member: FoundMember,
  platform: Platform,
): Promise<readonly Membership[]> {
  // No further statement than for an unknown member, so that the time reveals nothing.
  if ((member.platforms & (1 << platform.id)) === 0) return [];
  const all = await reads.memberships.of(member.id);
  return all.filter(({ platformId }) => platformId === platform.id);
}

/**
 * The membership with the local id that a request expects, or the preferred one if it expects none; null without any
 * membership. 409 `version_conflict` if none has the id.
 */
export async function expectedMembership(
  reads: MemberReads,
  member: FoundMember,
  platform: Platform,
  expected: ExpectedLocalId,
): Promise<Membership | null> {
  if (expected === undefined) return membershipOn(reads, member, platform);
  const links = await membershipsOn(reads, member, platform);
  return links.length === 0 ? null : withLocalId(links, expected);
}

/** Local id of the user that a request is about, null for a user without one; undefined if the request has none. */
export type ExpectedLocalId = string | number | null | undefined;

function withLocalId(
  links: readonly Membership[],
  expected: Exclude<ExpectedLocalId, undefined>,
): Membership {
  const id = expected === null ? null : requireLocalUserId(expected, '/expected_local_user_id');
  const link = links.find(({ localUserId }) => localUserId === id);
  if (link === undefined) throw versionConflict('local_user_id');
  return link;
}

/** Problem for a membership that has another value than the request expects. */
export function versionConflict(property: 'local_user_id' | 'email'): Problem {
  return new Problem('version_conflict', {
    ko: `지금의 ${property}이(가) expected_${property}와 다릅니다. 다시 조회한 뒤 보내세요.`,
    en: `The current ${property} is not the expected one. Look it up and send again.`,
  });
}

function ambiguousUid(): Problem {
  return new Problem('ambiguous_svc_uid', {
    ko: '이 svc_uid는 플랫폼의 한 사용자가 전에 가졌고 지금은 다른 사용자의 것입니다. expected_local_user_id로 누구인지 보내세요.',
    en: 'One user of the platform had this svc_uid before, and another one has it now. Name the user by expected_local_user_id.',
  });
}
