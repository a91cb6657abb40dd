import type { membersContract } from '../contract/members.ts';
import type { Answer, Body } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import { requireLocalUserId } from './body.ts';
import type { MemberContext } from './context.ts';
import { findMember } from './find-member.ts';
import { Problem } from '../kernel/problem.ts';
import { memberNotFound } from './problem.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/** A member's membership on a platform. Prefers the membership by which the member was found (`homeId`), else the first one linked on that platform. */
export async function membershipOn(
  reads: MemberReads,
  member: FoundMember,
  platform: Platform,
): Promise<Membership | null> {
  if ((member.platforms & (1 << platform.id)) === 0) return null;
  const own = await reads.memberships.at(member.homeId, platform.id);
  if (own !== null) return own;
  const all = await reads.memberships.of(member.id);
  return all.find(({ platformId }) => platformId === platform.id) ?? null;
}

/**
 * Gives a membership another local id. 409 `version_conflict` if its current one is not the expected one; 404
 * `member_not_found` for a member that is not on the platform.
 */
export async function rebindMembership(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  body: Body<typeof membersContract.rebind>,
  operator: Operator,
): Promise<Answer<typeof membersContract.rebind>> {
  const localUserId = requireLocalUserId(body.local_user_id);
  const expected =
    body.expected_local_user_id === null
      ? null
      : requireLocalUserId(body.expected_local_user_id, '/expected_local_user_id');
  return context.store.write(async (tx) => {
    const member = await findMember(tx, svcUid);
    const membership = member && (await membershipOn(tx, member, platform));
    if (member === null || membership === null) throw memberNotFound();
    const current = membership.localUserId === expected;
    if (!current || !(await tx.memberships.rebind(membership, localUserId))) throw conflict();
    const entry = { action: 'membership_rebound', subject: member.svcUid };
    await audit(context, tx, operator, { ...entry, detail: { platform: platform.code } });
    return { svc_uid: member.svcUid, platform: platform.code, local_user_id: localUserId };
  });
}

function conflict(): Problem {
  return new Problem('version_conflict', {
    ko: '지금의 local_user_id가 expected_local_user_id와 다릅니다. 다시 조회한 뒤 보내세요.',
    en: 'The current local_user_id is not the expected one. Look it up and send again.',
  });
}
