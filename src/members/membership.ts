import { Problem } from '../kernel/problem.ts';
import { requireLocalUserId } from './body.ts';
import { findMember } from './find-member.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';
import { memberAbsent } from './tombstone.ts';

/** A membership and its member; `member.homeId` is the membership's `homeId`. */
interface LinkedMember {
  readonly member: FoundMember;
  readonly link: Membership;
}

/**
 * The member and the membership that a platform means by a `svc_uid`. The uid may be the one that its user had before a
 * change of address, since delayed calls still send that. A present link takes precedence over former ones, and only
 * former links of the same platform are searched. 404 `member_not_found` or 410 `member_erased` if there is none.
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
  // A member of other platforms takes the same statements as an unknown one, so that the time reveals nothing.
  if (moved === null) throw await memberAbsent(reads, svcUid, platform);
  return ownerOf(reads, moved);
}

/**
 * Like `requireLink`, for a call that must not reach another user, such as a grant. If the uid stands for two users,
 * the expected local id decides: 409 `ambiguous_svc_uid` without one, `version_conflict` if neither user has it.
 */
export async function requireUnambiguousLink(
  reads: MemberReads,
  platform: Platform,
  svcUid: string,
  expected: ExpectedLocalId,
): Promise<LinkedMember> {
  const { found, former } = await linksOfUid(reads, platform, svcUid);
  // An expected null decides nothing: both users may be without a local id.
  if (former !== null && (expected === undefined || expected === null)) throw ambiguousUid();
  if (expected === undefined) return found;
  const links = await membershipsOn(reads, found.member, platform);
  return ownerOf(reads, withLocalId(former === null ? links : [...links, former.link], expected));
}

/**
 * `found` is the result of `requireLink`; `former` is the link of another user of the platform who had the uid before;
 * null for none.
 */
export async function linksOfUid(
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

/**
 * A member's membership on a platform: preferably with the `homeId` by which the member was found, else the oldest.
 */
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
 * The membership with the local id that a request expects, or that of `membershipOn` if it expects none; null if the
 * member has no membership on the platform. 409 `version_conflict` if none of its memberships has the id.
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

/** Local id that a request expects the user to have: null for a user without one, undefined if it expects nothing. */
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
