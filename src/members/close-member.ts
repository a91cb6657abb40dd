import type { MemberContext } from './context.ts';
import { eraseInTransaction } from './erase.ts';
import type { Member } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/**
 * Closes a member without links: it is erased, and its addresses lead to a new member from then on. A member that still
 * has links elsewhere only loses the address of `homeId`, if no link is left there. True for a member that was closed.
 */
export async function closeUnlinked(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  homeId: number,
  closedAt = context.now(),
): Promise<boolean> {
  const links = await tx.memberships.of(member.id);
  if (links.length === 0) {
    await eraseInTransaction(context, tx, member, closedAt);
    return true;
  }
  await tx.members.refreshPlatforms(member.id);
  if (!links.some((link) => link.homeId === homeId)) await tx.members.releaseAddress(homeId);
  return false;
}
