import type { Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { eraseInTransaction } from './erase.ts';
import { leaveBehind } from './leave-behind.ts';
import type { Member, Membership } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

interface Closing {
  readonly closedAt?: number;
  /** Mask of the platforms that receive `member.erased`; its own by default. */
  readonly informed?: number;
}

/**
 * Settles a member that links have left, by a move or an end. A verified link that moved takes the member’s address
 * away: only the verified links that remain find the member by it, and the next owner of the address is another member.
 * A member without a verified link does not live on for unverified ones: they go to the members that have their
 * addresses then. True if the member was closed.
 */
export async function settleMember(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  member: Member,
  gone: readonly Membership[],
  { hasMoved = false, ...closing }: Closing & { readonly hasMoved?: boolean } = {},
): Promise<boolean> {
  const homes = new Set(gone.map(({ homeId }) => homeId));
  const ownedHomes = gone.filter(({ wasVerified }) => wasVerified).map(({ homeId }) => homeId);
  const rest = await tx.memberships.of(member.id);
  // Before any link is left behind: what the member no longer has must not take it up again.
  await releaseUnlinked(tx, homes, rest);
  const hasOwner = rest.some(({ verified }) => verified);
  const strays: [email: string, links: readonly Membership[]][] = [];
  for (const [home, links] of Map.groupBy(rest, ({ homeId }) => homeId)) {
    // While the member has an owner, the links of members merged into it stay.
    if (ownedHomes.length === 0 || (hasOwner && !ownedHomes.includes(home))) continue;
    const isOwned = links.some(({ verified }) => verified);
    if (isOwned && !hasMoved) continue;
    // A link has the address of its home.
    const email = (await tx.members.email(home))!;
    if (isOwned) for (const link of gone) await tx.members.giveUpAddress(link);
    else await tx.members.releaseAddress(home);
    strays.push([email, isOwned ? links.filter(({ wasVerified }) => !wasVerified) : links]);
  }
  // After all homes have lost their addresses: another home of the member could have the same one.
  for (const [email, links] of strays) {
    if (links.length > 0) await leaveBehind(context, tx, operator, member, email, links);
  }
  // Platforms whose links stay behind must not delete their user.
  const platforms = gone.reduce((mask, { platformId }) => mask | (1 << platformId), 0);
  // Nor must the platform of a link that moved: its user lives on as another member.
  const informed = hasMoved ? 0 : platforms;
  return closeUnlinked(context, tx, { ...member, platforms }, { informed, ...closing });
}

/** Takes the addresses of homes that have none of these links. */
async function releaseUnlinked(
  tx: MemberTransaction,
  homes: ReadonlySet<number>,
  links: readonly Membership[],
): Promise<void> {
  for (const home of homes) {
    if (!links.some(({ homeId }) => homeId === home)) await tx.members.releaseAddress(home);
  }
}

/** Erases a member without links: its addresses lead to a new member from then on. True if it had none. */
async function closeUnlinked(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  { closedAt = context.now(), informed = member.platforms }: Closing = {},
): Promise<boolean> {
  if ((await tx.memberships.of(member.id)).length > 0) {
    await tx.members.refreshPlatforms(member.id);
    return false;
  }
  await eraseInTransaction(context, tx, member, { erasedAt: closedAt, informed });
  return true;
}
