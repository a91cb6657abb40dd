import type { membersContract } from '../contract/members.ts';
import type { Answer, Body } from '../contract/route.ts';
import { endSessionsThrough } from './assurance.ts';
import { audit, type Operator } from './audit.ts';
import { requireLocalUserId, requireMoment } from './body.ts';
import { finishDeparture } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { Problem } from '../kernel/problem.ts';
import { emailHash } from './email.ts';
import { findMember } from './find-member.ts';
import { isForbiddenLocalId } from './forbidden-local-id.ts';
import { moveActivity } from './move-activity.ts';
import { membershipsOn, requireUnambiguousLink } from './membership.ts';
import { forbiddenContent, memberNotFound } from './problem.ts';
import { homeAddress, noteRelease, type HomeAddress } from './released-address.ts';
import type { Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { noteDeparture, noteEarlyDeparture } from './tombstone.ts';

type LeaveAnswer = Answer<typeof membersContract.leave>;

/**
 * Ends a member's link with the platform: deletes its sessions, `extra` and consents, and makes its events anonymous. A
 * member is erased with its last link, or with its last verified one; its unverified links then go to a new member. 404
 * or 410 without a link; 409 `version_conflict`, `ambiguous_svc_uid` as `requireUnambiguousLink`.
 */
export async function endMembership(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  { expected_local_user_id: expected }: Body<typeof membersContract.endMembership>,
  operator: Operator,
): Promise<LeaveAnswer> {
  return context.store.write(async (tx) => {
    const { link } = await requireUnambiguousLink(tx, platform, svcUid, expected);
    return endLinks(context, tx, platform, [link], operator);
  });
}

/**
 * Ends every link of a member with the platform, or with an expected local id only that user’s. A member without links
 * on other platforms is thereby erased. Refusals as `endMembership`.
 */
export async function eraseForPlatform(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  { expected_local_user_id: expected }: Body<typeof membersContract.eraseMember>,
  operator: Operator,
): Promise<LeaveAnswer> {
  return context.store.write(async (tx) => {
    const { link } = await requireUnambiguousLink(tx, platform, svcUid, expected);
    const member = expected === undefined ? await findMember(tx, svcUid) : null;
    const all = member === null ? [] : await membershipsOn(tx, member, platform);
    return endLinks(context, tx, platform, all.length > 0 ? all : [link], operator);
  });
}

/**
 * Ends the link of a platform's user; 404 `member_not_found` if no link has the local id, 422 `forbidden_content` if
 * none can have it. A request that arrives late gives its time by `requested_at`, so that later sign-ups are accepted.
 */
export async function leave(
  context: MemberContext,
  platform: Platform,
  body: Body<typeof membersContract.leave>,
  operator: Operator,
): Promise<LeaveAnswer> {
  const localUserId = requireLocalUserId(body.local_user_id);
  const { requested_at: at } = body;
  const requestedAt = at === undefined ? Infinity : requireMoment(at, '/requested_at');
  const outcome = await context.store.write(async (tx) => {
    const link = await tx.memberships.byLocalUserId(platform.id, localUserId);
    if (link === null) return leaveEarly(context, tx, platform, localUserId, requestedAt);
    // A link cannot end before its start or in the future.
    const since = link.addressedAt ?? link.linkedAt;
    const leftAt = Math.min(Math.max(requestedAt, since), context.now());
    return endLinks(context, tx, platform, [link], operator, leftAt);
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/**
 * Records the departure of a local id without a link, so that an older sign-up which still waits on another server will
 * be refused. Returns the problem: 404, or 422 `forbidden_content` for an id that no link can have, because its user
 * was registered without an id and is still a member.
 */
async function leaveEarly(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  localUserId: string,
  requestedAt: number,
): Promise<Problem> {
  const isForbidden = await isForbiddenLocalId(tx, platform.id, localUserId, context.now());
  if (isForbidden) return forbiddenContent('local_user_id');
  await noteEarlyDeparture(context, tx, platform, localUserId, requestedAt);
  return memberNotFound();
}

/** Ends links of one member. */
async function endLinks(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  links: readonly Membership[],
  operator: Operator,
  leftAt = context.now(),
): Promise<LeaveAnswer> {
  // Memberships refer to their member.
  const member = (await tx.members.byId(links[0]!.memberId))!;
  let events = 0;
  const addresses = new Map<Membership, HomeAddress>();
  for (const link of links) {
    const address = await homeAddress(tx, platform, link);
    if (address !== null) addresses.set(link, address);
    await endSessionsThrough(context, tx, member, link);
    await noteDeparture(context, tx, link, leftAt);
    await moveActivity(tx, link, null);
    events += await tx.erasures.eraseMembership(link.id);
  }
  const erased = await finishDeparture(context, tx, operator, member, links, {
    closedAt: leftAt,
  });
  for (const [link, address] of addresses) {
    const holder = await tx.members.byEmail(platform.realm, emailHash(address.email));
    // Other verified links may keep the address.
    if (holder?.homeId === link.homeId) continue;
    await noteRelease(context, tx, platform, link, address, leftAt);
  }
  await tx.members.touchHistory();
  const detail = { platform: platform.code, links: links.length, events, erased };
  const entry = { action: 'member_left', subject: member.svcUid, detail };
  await audit(context, tx, operator, entry);
  return { left: true, erased };
}
