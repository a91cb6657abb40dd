import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { isSvcUid } from './identifiers.ts';
import { invalid, memberNotFound } from './problem.ts';
import type { FoundMember, Member } from './store/records.ts';
import type { MemberReads, MemberRecords } from './store/store.ts';
import { announce } from './webhooks.ts';

/** Suspends a member: sessions end in the same transaction, and no platform can issue new ones. */
export async function suspendMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (records) => {
    const member = await existingMember(records, svcUid);
    await records.members.setStatus(member.id, 'suspended');
    await endSessions(context, records, member);
    await audit(context, records, operator, { action: 'member_suspended', subject: member.svcUid });
  });
}

/** Lifts a suspension; sessions that ended stay ended. */
export async function restoreMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (records) => {
    const member = await existingMember(records, svcUid);
    await records.members.setStatus(member.id, 'active');
    await audit(context, records, operator, { action: 'member_restored', subject: member.svcUid });
  });
}

/** Ends every session of a member, in one write. */
export async function endMemberSessions(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (records) => {
    const member = await existingMember(records, svcUid);
    await endSessions(context, records, member);
    const entry = { action: 'sessions_revoked', subject: member.svcUid, detail: { scope: 'all' } };
    await audit(context, records, operator, entry);
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
  await context.store.write(async (records) => {
    const member = await existingMember(records, svcUid);
    await records.members.setTier(member.id, tier);
    const detail = { from: member.tier, to: tier };
    const entry = { action: 'tier_changed', subject: member.svcUid, detail };
    await audit(context, records, operator, entry);
    await announce(context, records, 'tier.changed', { svc_uid: member.svcUid, tier });
  });
}

/** Ends every session of a member within a write, and tells the platforms. */
export async function endSessions(
  context: MemberContext,
  records: MemberRecords,
  { id, svcUid }: Member,
): Promise<void> {
  await records.sessions.endAll(id);
  await announce(context, records, 'session.revoked', { svc_uid: svcUid, scope: 'all' });
}

/** The member an operator names; 404 `member_not_found` for none. */
export async function existingMember(records: MemberReads, svcUid: string): Promise<FoundMember> {
  const member = isSvcUid(svcUid) ? await records.members.byUid(svcUid) : null;
  if (member === null) throw memberNotFound();
  return member;
}
