import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { reportChange } from './entitlements.ts';
import { tierCodes } from './entitlements-in-force.ts';
import { requireMember } from './find-member.ts';
import { invalid } from './problem.ts';
import type { Member } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

/** Suspends a member. Its sessions end in the same transaction, and no platform can issue new ones. */
export async function suspendMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    await tx.members.setStatus(member.id, 'suspended');
    await endSessions(context, tx, member);
    await audit(context, tx, operator, { action: 'member_suspended', subject: member.svcUid });
  });
}

/** Lifts a suspension; sessions that ended stay ended. */
export async function restoreMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    await tx.members.setStatus(member.id, 'active');
    await audit(context, tx, operator, { action: 'member_restored', subject: member.svcUid });
  });
}

/** Ends every session of a member. */
export async function endMemberSessions(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    await endSessions(context, tx, member);
    const entry = { action: 'sessions_revoked', subject: member.svcUid, detail: { scope: 'all' } };
    await audit(context, tx, operator, entry);
  });
}

/** Gives a member another tier, such as `BRONZE`. */
export async function setTier(
  context: MemberContext,
  svcUid: string,
  tier: string,
  operator: Operator,
): Promise<void> {
  if (!/^[A-Z][A-Z0-9_]{0,31}$/.test(tier)) {
    throw invalid(
      'validation_failed',
      '/tier',
      { ko: '등급 이름이 올바르지 않습니다.', en: 'The tier is malformed.' },
      { ko: 'BRONZE처럼 대문자로 보내세요.', en: 'Send capital letters, such as BRONZE.' },
    );
  }
  await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    await tx.members.setTier(member.id, tier);
    const detail = { from: member.tier, to: tier };
    const entry = { action: 'tier_changed', subject: member.svcUid, detail };
    await audit(context, tx, operator, entry);
    await queueWebhook(context, tx, 'tier.changed', member, { svc_uid: member.svcUid, tier });
    const policy = await tx.entitlements.policy();
    const changed = [member.tier, tier].map((each) => tierCodes(policy, each).join());
    if (changed[0] !== changed[1]) await reportChange(context, tx, member, null);
  });
}

/** Ends every session of a member in a transaction, and queues the webhook that reports it. */
export async function endSessions(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
): Promise<void> {
  await tx.sessions.endAll(member.id);
  const payload = { svc_uid: member.svcUid, scope: 'all' };
  await queueWebhook(context, tx, 'session.revoked', member, payload);
}
