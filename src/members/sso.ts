import type { membersContract } from '../contract/members.ts';
import type { Answer, Body } from '../contract/route.ts';
import { audit, operatorOf, reasonOfPlatform } from './audit.ts';
import { requireLocalUserId } from './body.ts';
import { isForbiddenLocalId } from './forbidden-local-id.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash } from './email.ts';
import { codesInForce } from './entitlements-in-force.ts';
import { findMember } from './find-member.ts';
import { isProvisionAllowed } from './provision.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { membershipOn, membershipsOn, linksOfUid } from './membership.ts';
import { Problem } from '../kernel/problem.ts';
import { memberNotFound } from './problem.ts';
import { checkSession, startSession, type StartedSession } from './session.ts';
import { hasSso } from './sso-platform.ts';
import type { FoundMember, LiveSession, Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

interface IssuedSso extends StartedSession {
  readonly svcUid: string;
}

/**
 * Starts a session for a user who just logged in on the platform. 403 `sso_not_enabled` outside the cookie domain,
 * `member_suspended`, `email_unverified`; 404 without a link, or if it has another local id. A verified link without a
 * local id gets the one of the login.
 */
export async function issueSso(
  context: MemberContext,
  caller: KeyCaller,
  body: Body<typeof membersContract.issue>,
): Promise<IssuedSso> {
  const platform = await requirePlatform(context, caller, body.platform);
  if (!hasSso(context, platform)) throw ssoNotEnabled();
  const localUserId = requireLocalUserId(body.local_user_id);
  const hash = body.svc_uid === undefined ? emailHash(canonicalEmail(body.email)) : null;
  return context.store.write(async (tx) => {
    const addressed = hash === null ? null : await tx.members.byAddress(platform, hash);
    const member = hash === null ? await findMember(tx, body.svc_uid) : addressed;
    const link = member && (await linkOf(tx, member, platform, localUserId, hash === null));
    if (member === null || link === null) throw memberNotFound();
    const isUnbound = link.localUserId === null;
    // The user may be the next owner of an address that the member gave up.
    if (isUnbound && addressed?.gaveUp === 1) throw memberNotFound();
    if (isUnbound && !(await canBind(tx, link, localUserId, context.now()))) throw memberNotFound();
    if (member.status !== 'active') throw memberSuspended();
    // An unverified address may belong to another user, so its link must not sign in on other platforms.
    if (!link.verified && member.platforms !== 1 << platform.id) throw emailUnverified();
    if (isUnbound) await tx.memberships.rebind(link, localUserId);
    return { ...(await startSession(context, tx, member, link)), svcUid: member.svcUid };
  });
}

type SsoVerdict = Answer<typeof membersContract.verify>;

/**
 * Decides whether another platform may sign the user in: requires a live session that started through a verified link,
 * and a verified link on the requesting platform.
 */
export async function verifySso(
  context: MemberContext,
  platform: Platform,
  token: string,
): Promise<SsoVerdict> {
  const session = await checkSession(context, token);
  if (session === null || session.member.realm !== platform.realm) return noSession;
  const { member } = session;
  const { all, policy } = await context.platforms.at(session.platformsVersion);
  const issuer = all.find(({ id }) => id === session.platformId);
  const { read } = context.store;
  if (!(await isProvisionAllowed(context, read, member.id, issuer, platform))) return withheld;
  const membership = await offeredLink(context.store.read, session, platform);
  const entitlements = await codesInForce(context, context.store.read, member, policy);
  const { svcUid: svc_uid, tier } = member;
  const known = { active: true, svc_uid, session_id: session.id, tier };
  if (membership === null) {
    const reason = 'no_membership';
    return { ...known, sign_in_allowed: false, reason, membership: null, entitlements };
  }
  const own = session.platformId === platform.id;
  // An unverified link may lead to the account of another user who typed this member's address.
  const allowed = own || (session.verified && membership.verified);
  return {
    ...known,
    sign_in_allowed: allowed,
    reason: allowed ? null : 'email_unverified',
    membership: { platform: platform.code, local_user_id: membership.localUserId },
    entitlements,
  };
}

/**
 * Ends the sessions that this platform issued to a member, or all of the member's sessions. Returns their number. To
 * end all takes a verified link, else 403 `email_unverified`: any asserted platform could log out the owner of an
 * address.
 */
export async function revokeSso(
  context: MemberContext,
  caller: KeyCaller,
  platform: Platform,
  { svc_uid: svcUid, scope = 'platform', reason: given = '' }: Body<typeof membersContract.revoke>,
): Promise<Answer<typeof membersContract.revoke>> {
  const reason = reasonOfPlatform(given);
  const operator = operatorOf(`key:${caller.kid}`, reason === '' ? 'revoked by platform' : reason);
  return context.store.write(async (tx) => {
    const { found, former } = await linksOfUid(tx, platform, svcUid);
    // If the uid stands for two users, the sessions of both end: the wrong one only has to log in again.
    const users = former === null ? [found] : [found, former];
    if (scope === 'all' && !users.some(({ link }) => link.verified)) throw linkUnverified();
    let revoked = 0;
    for (const { member, link } of users) {
      const ended = scope === 'all' && link.verified ? 'all' : 'platform';
      const live = () => tx.sessions.liveCount(member.id, context.now());
      const before = await live();
      if (ended === 'all') await tx.sessions.endAll(member.id);
      else await tx.sessions.endIssuedBy(member.id, platform.id);
      const count = before - (await live());
      const detail = { platform: platform.code, scope: ended, sessions_ended: count };
      const entry = { action: 'sessions_revoked', subject: member.svcUid, detail };
      await audit(context, tx, operator, entry);
      const payload = { svc_uid: member.svcUid, scope: ended };
      await queueWebhook(context, tx, 'session.revoked', member, payload);
      revoked += count;
    }
    return { revoked };
  });
}

/**
 * The link of a session's member on a platform. On the issuing platform it is the link that the session started
 * through, since a merged member can have several.
 */
async function offeredLink(
  reads: MemberReads,
  { member, platformId, membershipId }: LiveSession,
  platform: Platform,
): Promise<Membership | null> {
  const found = { ...member, homeId: member.id };
  const preferred = await membershipOn(reads, found, platform);
  if (platformId !== platform.id || preferred?.id === membershipId) return preferred;
  const links = await membershipsOn(reads, found, platform);
  return links.find(({ id }) => id === membershipId) ?? preferred;
}

/** The link with this local id, else one that was registered without a local id. */
async function linkOf(
  reads: MemberReads,
  member: FoundMember,
  platform: Platform,
  localUserId: string,
  anyHome: boolean,
): Promise<Membership | null> {
  // No further statement than for an unknown member, so that the time reveals nothing.
  if ((member.platforms & (1 << platform.id)) === 0) return null;
  const all = await reads.memberships.of(member.id);
  const own = all.filter(
    (link) => link.platformId === platform.id && (anyHome || link.homeId === member.homeId),
  );
  const exact = own.find((link) => link.localUserId === localUserId);
  return exact ?? own.find((link) => link.localUserId === null) ?? null;
}

/** True if a login may bind a link without a local id: its address is verified, and no other link has the id. */
async function canBind(
  reads: MemberReads,
  link: Membership,
  localUserId: string,
  now: number,
): Promise<boolean> {
  if (!link.verified) return false;
  if (await isForbiddenLocalId(reads, link.platformId, localUserId, now)) return false;
  return (await reads.memberships.byLocalUserId(link.platformId, localUserId)) === null;
}

/** Verdict that reveals nothing about a member of another company. */
const withheld: SsoVerdict = {
  active: true,
  svc_uid: null,
  session_id: null,
  tier: null,
  sign_in_allowed: false,
  reason: 'consent_required',
  membership: null,
  entitlements: [],
};

const noSession: SsoVerdict = {
  active: false,
  svc_uid: null,
  session_id: null,
  tier: null,
  sign_in_allowed: false,
  reason: 'session_ended',
  membership: null,
  entitlements: [],
};

function ssoNotEnabled(): Problem {
  return new Problem('sso_not_enabled', {
    ko: '이 플랫폼은 쿠키 도메인 밖에 있어 통합 로그인을 쓸 수 없습니다. 자체 로그인을 사용하세요.',
    en: 'This platform is outside the cookie domain and cannot use single sign-on. Use its own login.',
  });
}

function memberSuspended(): Problem {
  return new Problem('member_suspended', {
    ko: '운영자가 정지한 회원입니다. 정지가 해제될 때까지 자체 로그인을 사용하세요.',
    en: 'The operator has suspended this member. Use your own login until the suspension is lifted.',
  });
}

function linkUnverified(): Problem {
  return new Problem('email_unverified', {
    ko: '이 플랫폼은 이메일을 확인하지 않아 다른 플랫폼의 세션을 끝낼 수 없습니다. scope를 platform으로 보내세요.',
    en: 'The platform has not verified the address and cannot end sessions of others. Send the scope platform.',
  });
}

function emailUnverified(): Problem {
  return new Problem('email_unverified', {
    ko: '이 플랫폼은 이메일을 확인하지 않았고 회원이 다른 플랫폼과 이어져 있습니다. 확인한 뒤 email_verified와 함께 다시 등록하세요.',
    en: 'The platform has not verified the address, and the member is shared with other platforms. Verify it and register again with email_verified.',
  });
}
