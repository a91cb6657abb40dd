import { endAssertedSessions, endSessionsThrough } from './assurance.ts';
import { audit, type Operator } from './audit.ts';
import { finishDeparture } from './close-member.ts';
import type { MemberContext } from './context.ts';
import { handOver, reportHandOver } from './hand-over.ts';
import { insertMember } from './insert-member.ts';
import { leaveBehind } from './leave-behind.ts';
import { moveActivity } from './move-activity.ts';
import { homeAddress, noteRelease } from './released-address.ts';
import type { FoundMember, Member, Membership, NewAddress, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueLinkWebhook } from './webhooks.ts';

/** Address that a link moves to, which has no link on the platform yet. */
export interface TargetAddress extends NewAddress {
  readonly emailTyped: string | null;
  /** The member that has the address; null for none, and if `isGivenUp`. */
  readonly member: FoundMember | null;
  readonly verified: boolean;
  /** Time from which the user has the address, according to the platform. */
  readonly addressedAt: number;
  /** Time from which the next owner may have the old address. */
  readonly releasedAt: number;
}

/** A link that is to move, with the member that has it and the new address. */
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
  /** Codes in force by grants that moved with the link. */
  readonly entitlements: readonly string[];
}

/**
 * Moves a link to another address, because the platform’s user changed it. Sessions that started through the link end.
 * The owner itself takes the new address if the link is its last or last verified one, the platform is trusted and no
 * member has the address. Else the link goes to the member of the new address, created if necessary, with the grants of
 * its platform; if the link was verified, the owner gives up the old address.
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
  const released = await homeAddress(tx, platform, link);
  await endSessionsThrough(context, tx, owner, link);
  const others = (await tx.memberships.of(owner.id)).filter(({ id }) => id !== link.id);
  const representsOwner =
    others.length === 0 || (link.wasVerified && !others.some(({ verified }) => verified));
  const isTakenAlong =
    representsOwner && platform.assurance === 'trusted' && address.member === null;
  const move = { operator, platform, owner, link, address };
  const moved = isTakenAlong
    ? await takeAlong(context, tx, move, others)
    : await giveAway(context, tx, move);
  if (released !== null) {
    await noteRelease(context, tx, platform, link, released, address.releasedAt);
  }
  const { closed, entitlements } = moved;
  const facts = { taken_along: isTakenAlong, closed, entitlements };
  const detail = { platform: platform.code, from: owner.svcUid, ...facts };
  const entry = { action: 'link_moved', subject: moved.member.svcUid, detail };
  await audit(context, tx, operator, entry);
  return moved;
}

/** Returns an address to the member that gave it up when the link left it: its user has come back. Null for none. */
async function regainMember(
  { members }: MemberTransaction,
  link: Membership,
  { emailHash, verified, isGivenUp }: TargetAddress,
): Promise<FoundMember | null> {
  const former = verified && !isGivenUp ? await members.formerOf(link, emailHash) : null;
  if (former !== null) await members.regainAddress(former.homeId);
  return former;
}

/** Gives the owner the new address; its other links with the old address are left behind. */
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

/** Gives the link to the member of the new address, created if necessary. */
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
  await moveActivity(tx, link, homeId);
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
  const closed = await finishDeparture(context, tx, operator, owner, [link], { hasMoved: true });
  await reportHandOver(context, tx, entitlements, owner, member);
  await tx.members.touchHistory();
  return { member, created, linked, closed, entitlements };
}
