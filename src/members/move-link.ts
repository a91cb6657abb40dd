import { endAssertedSessions, endSessionsThrough } from './assurance.ts';
import { audit, type Operator } from './audit.ts';
import { settleMember } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { handOver, reportHandOver } from './hand-over.ts';
import { insertMember } from './insert-member.ts';
import { leaveBehind } from './leave-behind.ts';
import { heldAddress, noteRelease } from './released-address.ts';
import type { FoundMember, Member, Membership, NewAddress, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueLinkWebhook } from './webhooks.ts';

/** Address that a link moves to, which has no link on the platform yet. */
export interface TargetAddress extends NewAddress {
  readonly emailTyped: string | null;
  /** The member that has it; null for none, and for an address that is given up already. */
  readonly member: FoundMember | null;
  readonly verified: boolean;
  /** Time from which the user has it, by the platform. */
  readonly addressedAt: number;
  /** Time from which the next owner may have the old address. */
  readonly releasedAt: number;
}

/** A link on the way from its owner to an address. */
interface Move {
  readonly operator: Operator;
  readonly platform: Platform;
  readonly owner: Member;
  readonly link: Membership;
  readonly address: TargetAddress;
}

interface MovedLink {
  readonly member: Pick<Member, 'svcUid' | 'tier'>;
  readonly created: boolean;
  /** True if the link belongs to another member now. */
  readonly linked: boolean;
  /** True if the member that had the link is closed. */
  readonly closed: boolean;
  /** Codes in force that went along, in their platform’s grants. */
  readonly entitlements: readonly string[];
}

/**
 * Moves a link to another address: the platform’s user changed it. Sessions that started through the link end, and the
 * old address keeps no link. A member is taken along if nothing but unverified links remains, the platform is trusted
 * and the address free. Else the link goes to the member of the address, made if need be, with what its platform granted;
 * a verified link takes the old address away from the member that others remain on.
 */
export async function moveLink(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  platform: Platform,
  link: Membership,
  given: TargetAddress,
): Promise<MovedLink> {
  // Memberships refer to their member.
  const owner = (await tx.members.byId(link.memberId))!;
  const address = { ...given, member: given.member ?? (await regainMember(tx, link, given)) };
  const released = await heldAddress(tx, platform, link);
  await endSessionsThrough(context, tx, owner, link);
  const others = (await tx.memberships.of(owner.id)).filter(({ id }) => id !== link.id);
  const isOwners =
    others.length === 0 || (link.wasVerified && !others.some(({ verified }) => verified));
  const isTaken = isOwners && platform.assurance === 'trusted' && address.member === null;
  const move = { operator, platform, owner, link, address };
  const moved = isTaken
    ? await takeAlong(context, tx, move, others)
    : await giveAway(context, tx, move);
  if (released !== null) {
    await noteRelease(context, tx, platform, link, released, address.releasedAt);
  }
  const { closed, entitlements } = moved;
  const facts = { taken_along: isTaken, closed, entitlements };
  const detail = { platform: platform.code, from: owner.svcUid, ...facts };
  const entry = { action: 'link_moved', subject: moved.member.svcUid, detail };
  await audit(context, tx, operator, entry);
  return moved;
}

/** The member that gave the address up when the link left it, with the address again: its user has come back. */
async function regainMember(
  { members }: MemberTransaction,
  link: Membership,
  { emailHash, verified, isGivenUp }: TargetAddress,
): Promise<FoundMember | null> {
  const former = verified && !isGivenUp ? await members.formerOf(link, emailHash) : null;
  if (former !== null) await members.regainAddress(former.homeId);
  return former;
}

/** Gives the owner the new address; other links of the old one stay behind. */
async function takeAlong(
  context: MemberContext,
  tx: MemberTransaction,
  { operator, owner, link, address }: Move,
  others: readonly Membership[],
): Promise<MovedLink> {
  const { emailTyped, verified, addressedAt } = address;
  // A link has the address of its home.
  const old = (await tx.members.email(link.homeId))!;
  const strays = others.filter(({ homeId }) => homeId === link.homeId);
  await tx.members.changeAddress(link.homeId, address);
  await tx.memberships.move(link, { ...link, verified, emailTyped, addressedAt });
  if (strays.length > 0) await leaveBehind(context, tx, operator, owner, old, strays);
  await tx.members.refreshPlatforms(owner.id);
  return { member: owner, created: false, linked: false, closed: false, entitlements: [] };
}

/** Gives the link to the member of the address, made if need be. */
async function giveAway(
  context: MemberContext,
  tx: MemberTransaction,
  { operator, platform, owner, link, address }: Move,
): Promise<MovedLink> {
  const { emailTyped, verified, addressedAt } = address;
  const created = address.member === null;
  const member = address.member ?? (await insertMember(context, tx, platform, address));
  const others = created ? [] : await tx.memberships.of(member.id);
  const linkedAt = context.now();
  const { id: memberId, homeId } = member;
  const target = { homeId, memberId, verified, emailTyped, linkedAt, addressedAt };
  await tx.memberships.move(link, target);
  const entitlements = await handOver(context, tx, link, owner, member);
  await tx.members.refreshPlatforms(memberId);
  const linked = !created && memberId !== owner.id;
  if (linked) {
    const join = { platform, isVerified: verified };
    await endAssertedSessions(context, tx, member, join, others);
  }
  if (created) await queueLinkWebhook(context, tx, 'member.created', member, platform);
  if (linked) await queueLinkWebhook(context, tx, 'member.linked', member, platform);
  const closed = await settleMember(context, tx, operator, owner, [link], { hasMoved: true });
  await reportHandOver(context, tx, entitlements, owner, member);
  await tx.members.touchHistory();
  return { member, created, linked, closed, entitlements };
}
