import { endSessionsThrough } from './assurance.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { handOver, reportHandOver } from './hand-over.ts';
import { insertMember } from './insert-member.ts';
import { moveActivity } from './move-activity.ts';
import type { Member, Membership } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueLinkWebhook } from './webhooks.ts';

/**
 * Separates unverified links from a member whose owner has changed the address or left: an asserted platform may have
 * registered the address for another user. The links go to the member that has the address now, created if necessary,
 * and their sessions end. The old member keeps its uid, its tier and the grants of other platforms.
 */
export async function leaveBehind(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  owner: Member,
  email: string,
  links: readonly Membership[],
): Promise<void> {
  const all = await tx.platforms.all();
  const platforms = links.map((link) => all.find(({ id }) => id === link.platformId)!);
  const address = { email, emailHash: emailHash(email), isGivenUp: false };
  const current = await tx.members.byEmail(owner.realm, address.emailHash);
  const member = current ?? (await insertMember(context, tx, platforms[0]!, address));
  const codes: string[] = [];
  for (const link of links) {
    await endSessionsThrough(context, tx, owner, link);
    await moveActivity(tx, link, member.homeId);
    await tx.memberships.giveTo(link.id, member);
    codes.push(...(await handOver(context, tx, link, owner, member)));
  }
  await tx.members.refreshPlatforms(owner.id);
  await tx.members.refreshPlatforms(member.id);
  // More platforms share the member now, so a session by an unverified link would reach too far.
  if (current !== null) await tx.sessions.endAsserted(member.id);
  for (const [at, platform] of platforms.entries()) {
    const type = at === 0 && current === null ? 'member.created' : 'member.linked';
    await queueLinkWebhook(context, tx, type, member, platform);
  }
  await reportHandOver(context, tx, codes, owner, member);
  await tx.members.touchHistory();
  const detail = { from: owner.svcUid, platforms: platforms.map(({ code }) => code) };
  await audit(context, tx, operator, {
    action: 'links_left_behind',
    subject: member.svcUid,
    detail,
  });
}
