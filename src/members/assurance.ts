import type { MemberContext } from './context.ts';
import { seoulDay } from './seoul-day.ts';
import type { Member, Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

/**
 * Ends a member's sessions that started through asserted links, when a platform links the member or verifies its
 * address: another user may have registered the address before its owner. `others` are the member's other links. The
 * effects are counted by day, since a platform that begins to verify would add a row to the audit log for each member.
 */
export async function endAssertedSessions(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  { platform, isVerified }: { readonly platform: Platform; readonly isVerified: boolean },
  others: readonly Membership[],
): Promise<void> {
  const ended = await tx.sessions.endAsserted(member.id);
  const isUpgrade = isVerified && !others.some(({ verified }) => verified);
  if (isUpgrade || ended > 0) {
    await tx.assurance.count({
      day: seoulDay(context.now()),
      platformId: platform.id,
      upgrades: Number(isUpgrade),
      sessionsEnded: ended,
    });
  }
  if (ended === 0) return;
  const payload = { svc_uid: member.svcUid, scope: 'asserted' };
  await queueWebhook(context, tx, 'session.revoked', member, payload);
}

/** Ends the sessions that started through a link that moves, ends, or loses the verification of its address. */
export async function endSessionsThrough(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  link: Membership,
): Promise<void> {
  const ended = await tx.sessions.endThrough(member.id, link.id);
  if (ended === 0) return;
  const payload = { svc_uid: member.svcUid, scope: 'link' };
  await queueWebhook(context, tx, 'session.revoked', member, payload);
}
