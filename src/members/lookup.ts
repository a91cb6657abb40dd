import type { memberView, selfView as selfViewSchema } from '../contract/member-schemas.ts';
import type { membersContract } from '../contract/members.ts';
import type { Body, Value } from '../contract/route.ts';
import { localUserIdOf } from './body.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash, maskedEmail } from './email.ts';
import { codesInForce } from './entitlements-in-force.ts';
import { findMember } from './find-member.ts';
import { instantText } from './instant.ts';
import { membershipOn } from './membership.ts';
import { requireProvision } from './provision.ts';
import { codesOf } from './platform-directory.ts';
import { invalid, memberNotFound } from './problem.ts';
import type { FoundMember, LiveSession, Membership, Platform } from './store/entities.ts';

type MemberView = Value<typeof memberView>;
type SelfView = Value<typeof selfViewSchema>;
type Criteria = Pick<Body<typeof membersContract.lookup>, 'email' | 'svc_uid' | 'local_user_id'>;

/** Finds a member of the platform by `email`, `svc_uid` or `local_user_id`; 404, whether it is unknown or elsewhere. */
export async function lookUpMember(
  context: MemberContext,
  platform: Platform,
  criteria: Criteria,
): Promise<MemberView> {
  const member = await memberOf(context, platform, criteria);
  const membership = member && (await membershipOn(context.store.read, member, platform));
  if (member === null || membership === null) throw memberNotFound();
  await requireProvision(context, context.store.read, member, platform);
  const { policy } = context.platforms.lastRead;
  const codes = await codesInForce(context, context.store.read, member, policy);
  return viewOf(member, membership, platform, codes);
}

/** A member's view of itself, made from its session. Only a member with grants takes a further statement. */
export async function selfView(
  context: MemberContext,
  { member, email, platformsVersion }: LiveSession,
): Promise<SelfView> {
  const list = context.platforms.at(platformsVersion);
  const { all, policy } = list instanceof Promise ? await list : list;
  const codes = codesInForce(context, context.store.read, member, policy);
  return {
    svc_uid: member.svcUid,
    tier: member.tier,
    entitlements: codes instanceof Promise ? await codes : codes,
    email_masked: maskedEmail(email),
    platforms: codesOf(all, member.platforms),
    created_at: instantText(member.createdAt),
  };
}

/** The member of the session, if it matches the criteria; 404 otherwise. */
export async function lookUpSelf(
  context: MemberContext,
  session: LiveSession,
  criteria: Criteria,
): Promise<SelfView> {
  const { svc_uid: svcUid, email } = criteria;
  const isSelf =
    svcUid === undefined
      ? canonicalEmail(email) === session.email
      : svcUid === session.member.svcUid;
  if (!isSelf) throw memberNotFound();
  return selfView(context, session);
}

async function memberOf(
  context: MemberContext,
  platform: Platform,
  { svc_uid: svcUid, email, local_user_id: localUserId }: Criteria,
): Promise<FoundMember | null> {
  const { members } = context.store.read;
  if (svcUid !== undefined) return findMember(context.store.read, svcUid);
  if (email !== undefined) {
    return members.byAddress(platform, emailHash(canonicalEmail(email)));
  }
  const local = localUserIdOf(localUserId);
  if (local !== null) return members.byLocalUserId(platform.id, local);
  throw invalid(
    'validation_failed',
    '',
    { ko: '찾을 회원을 적지 않았습니다.', en: 'The body names no member.' },
    {
      ko: 'email, svc_uid, local_user_id 가운데 하나를 보내세요.',
      en: 'Send one of email, svc_uid and local_user_id.',
    },
  );
}

function viewOf(
  member: FoundMember,
  membership: Membership,
  platform: Platform,
  codes: readonly string[],
): MemberView {
  return {
    svc_uid: member.svcUid,
    tier: member.tier,
    status: member.status,
    entitlements: codes,
    created_at: instantText(member.createdAt),
    membership: {
      platform: platform.code,
      local_user_id: membership.localUserId,
      email_assurance: membership.verified ? 'verified' : 'asserted',
      linked_at: instantText(membership.linkedAt),
    },
  };
}
