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
 * Updates a member after some of its links (`gone`) moved away or ended. If a verified link moved, the member gives up
 * its address: only its remaining verified links find it by the address, and the next owner becomes another member. If
 * the last verified link is gone, the member is closed, and its unverified links go to the members that then have their
 * addresses. True if the member was closed.
 */
export async function finishDeparture(
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
  // Before any link is left behind: it must not find this member by an address that the member no longer has.
  await releaseUnlinked(tx, homes, rest);
  const hasOwner = rest.some(({ verified }) => verified);
  const strays: [email: string, links: readonly Membership[]][] = [];
  for (const [home, links] of Map.groupBy(rest, ({ homeId }) => homeId)) {
    // While the member has a verified link, the links of members merged into it stay.
    if (ownedHomes.length === 0 || (hasOwner && !ownedHomes.includes(home))) continue;
    const isOwned = links.some(({ verified }) => verified);
    if (isOwned && !hasMoved) continue;
    // A link has the address of its home.
    const email = (await tx.members.email(home))!;
    if (isOwned) for (const link of gone) await tx.members.giveUpAddress(link);
    else await tx.members.releaseAddress(home);
    strays.push([email, isOwned ? links.filter(({ wasVerified }) => !wasVerified) : links]);
  }
  // After every home has lost its address: two homes of a member can have the same one.
  for (const [email, links] of strays) {
    if (links.length > 0) await leaveBehind(context, tx, operator, member, email, links);
  }
  // Only the platforms of links that are gone: one whose link is left behind must not delete its user.
  const platforms = gone.reduce((mask, { platformId }) => mask | (1 << platformId), 0);
  // Not the platform of a link that moved either: its user lives on as another member.
  const informed = hasMoved ? 0 : platforms;
  return closeUnlinked(context, tx, { ...member, platforms }, { informed, ...closing });
}

/** Releases the address of each home to which none of these links belongs. */
async function releaseUnlinked(
  tx: MemberTransaction,
  homes: ReadonlySet<number>,
  links: readonly Membership[],
): Promise<void> {
  for (const home of homes) {
    if (!links.some(({ homeId }) => homeId === home)) await tx.members.releaseAddress(home);
  }
}

/** Erases a member if it has no links, so that its addresses lead to a new member; returns true if it was erased. */
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
