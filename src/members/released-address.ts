import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';
import { tombstoneOf } from './tombstone.ts';

/** An address that leads to the home of a link: the member under which the link was made. */
export interface HomeAddress {
  readonly email: string;
  /** The uid of the home, which may be gone by the time of the release. */
  readonly svcUid: string;
}

/**
 * The address that leads to the home of a link; null if the link was never verified or the home gave the address up.
 */
export async function homeAddress(
  reads: MemberReads,
  { realm }: Pick<Platform, 'realm'>,
  { homeId, wasVerified }: Membership,
): Promise<HomeAddress | null> {
  const email = wasVerified ? await reads.members.email(homeId) : null;
  const holder = email && (await reads.members.byEmail(realm, emailHash(email)));
  if (!holder || holder.homeId !== homeId) return null;
  // Memberships refer to the member that they were made under.
  const { svcUid } = (await reads.members.byId(homeId))!;
  return { email, svcUid };
}

/** Records the time from which the address that a link left may have its next owner. */
export async function noteRelease(
  context: MemberContext,
  tx: MemberTransaction,
  { realm }: Pick<Platform, 'realm'>,
  { homeId, platformId }: Membership,
  { email, svcUid }: HomeAddress,
  releasedAt: number,
): Promise<void> {
  const tombstone = tombstoneOf(context, email);
  const release = { svcUid, realm, tombstone, platformId, releasedAt };
  await tx.erasures.noteRelease(release, homeId);
}

/**
 * True for a statement about an address that is older than the release of the address on another platform, and so about
 * an earlier owner. Releases on the same platform do not count, since a platform’s own statements are ordered by time.
 */
export async function isFromEarlierOwner(
  context: MemberContext,
  reads: MemberReads,
  platform: Platform,
  { email, requestedAt }: { readonly email: string; readonly requestedAt: number | null },
  presentOwner: FoundMember | null,
): Promise<boolean> {
  if (requestedAt === null) return false;
  const tombstone = tombstoneOf(context, email);
  const except = { platformId: platform.id, homeId: presentOwner?.homeId ?? null };
  return reads.erasures.isReleased(platform.realm, tombstone, requestedAt, except);
}
