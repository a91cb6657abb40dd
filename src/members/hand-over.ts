import type { MemberContext } from './context.ts';
import { reportChange } from './entitlements.ts';
import { memberLimits } from './limits.ts';
import type { FoundMember, Member, Membership } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueMoveWebhook } from './webhooks.ts';

/**
 * Lets a link that moved to another member keep the grants of its platform, and the events that the platform still
 * sends with the previous uid. `link` is its state before the move. Returns the codes in force, for `reportHandOver`.
 */
export async function handOver(
  context: MemberContext,
  tx: MemberTransaction,
  link: Membership,
  from: Member,
  to: FoundMember,
): Promise<readonly string[]> {
  const now = context.now();
  const { platformId, homeId } = link;
  const rest = await tx.memberships.of(from.id);
  const isLast = !rest.some((one) => one.platformId === platformId);
  // Memberships refer to their home.
  const home = (await tx.members.byId(homeId))!;
  for (const { svcUid } of isLast && home.id !== from.id ? [home, from] : [home]) {
    await tx.memberships.noteMove(link, svcUid, now, memberLimits.movesPerLinkMax);
  }
  if (from.id !== to.id) await queueMoveWebhook(context, tx, link, from, to);
  const most = memberLimits.entitlementHistoryMax + memberLimits.entitlementsMax;
  const grants = await tx.entitlements.by(platformId, from.id, most);
  // Another link of the platform keeps the grants that were made through it.
  const own = grants.filter((grant) => isLast || grant.homeId === homeId);
  for (const { id } of own) {
    await tx.entitlements.giveTo(id, { homeId: to.homeId, memberId: to.id });
  }
  if (own.length > 0) for (const { id } of [from, to]) await tx.entitlements.mark(id, now);
  const inForce = own.filter(({ startsAt, overAt }) => startsAt <= now && overAt > now);
  return from.id === to.id ? [] : [...new Set(inForce.map(({ code }) => code))];
}

/** Queues the webhooks about codes that went from one member to another, once the platforms of both are known. */
export async function reportHandOver(
  context: MemberContext,
  tx: MemberTransaction,
  codes: readonly string[],
  from: Member,
  to: FoundMember,
): Promise<void> {
  for (const code of codes) {
    await reportChange(context, tx, from, code);
    await reportChange(context, tx, to, code);
  }
}
