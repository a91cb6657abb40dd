import { endSessionsThrough } from './assurance.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { insertMember } from './insert-member.ts';
import type { Member, Membership } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueLinkWebhook } from './webhooks.ts';

/**
 * Gives unverified links of an address to a new member when the address’s owner moves away or leaves: an asserted
 * platform may have typed it for another user. Their sessions end; uid, tier and entitlements stay with the owner. No
 * member has the address any more.
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
  const address = { email, emailHash: emailHash(email) };
  const member = await insertMember(context, tx, platforms[0]!, address);
  for (const link of links) {
    await endSessionsThrough(context, tx, owner, link);
    await tx.memberships.giveTo(link.id, member.id);
  }
  await tx.members.refreshPlatforms(member.id);
  for (const [at, platform] of platforms.entries()) {
    const type = at === 0 ? 'member.created' : 'member.linked';
    await queueLinkWebhook(context, tx, type, member, platform);
  }
  await tx.members.touchHistory();
  const detail = { from: owner.svcUid, platforms: platforms.map(({ code }) => code) };
  await audit(context, tx, operator, {
    action: 'links_left_behind',
    subject: member.svcUid,
    detail,
  });
}
