import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';
import { tombstoneOf } from './tombstone.ts';

/** An address that leads to the home of a link. */
export interface HeldAddress {
  readonly email: string;
  /** The uid of the home, which may be gone by the time of the release. */
  readonly svcUid: string;
}

/** The address that leads to the home of a verified link; null for an unverified link, and where the home gave it up. */
export async function heldAddress(
  reads: MemberReads,
  { realm }: Pick<Platform, 'realm'>,
  { homeId, wasVerified }: Membership,
): Promise<HeldAddress | null> {
  const email = wasVerified ? await reads.members.email(homeId) : null;
  const holder = email && (await reads.members.byEmail(realm, emailHash(email)));
  if (!holder || holder.homeId !== homeId) return null;
  // Memberships refer to the member that they were made under.
  const { svcUid } = (await reads.members.byId(homeId))!;
  return { email, svcUid };
}

/** Notes the time from which an address that a link has left may have its next owner. */
export async function noteRelease(
  context: MemberContext,
  tx: MemberTransaction,
  { realm }: Pick<Platform, 'realm'>,
  { homeId, platformId }: Membership,
  { email, svcUid }: HeldAddress,
  releasedAt: number,
): Promise<void> {
  const tombstone = tombstoneOf(context, email);
  const release = { svcUid, realm, tombstone, platformId, releasedAt };
  await tx.erasures.noteRelease(release, homeId);
}

/**
 * True for a statement about an address that is older than its release on another platform: it is about an earlier owner.
 * A platform’s own releases do not count, because it orders its own statements by their times.
 */
export async function isFromEarlierOwner(
  context: MemberContext,
  reads: MemberReads,
  platform: Platform,
  { email, requestedAt }: { readonly email: string; readonly requestedAt: number | null },
  present: FoundMember | null,
): Promise<boolean> {
  if (requestedAt === null) return false;
  const tombstone = tombstoneOf(context, email);
  const other = { platformId: platform.id, homeId: present?.homeId ?? null };
  return reads.erasures.isReleased(platform.realm, tombstone, requestedAt, other);
}
