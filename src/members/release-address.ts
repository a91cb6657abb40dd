import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../kernel/json-object.ts';
import type { Operator } from './audit.ts';
import { localUserIdOf, momentOf } from './body.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { moveLink, type TargetAddress } from './move-link.ts';
import type { Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/**
 * Frees the old address of a platform’s user whose new address is refused as `invalid_email`: the user no longer has
 * the old one, and its next owner must not get this account. The link keeps its `svc_uid` and takes the next valid
 * address. A text without `@` is a fault of the caller and changes nothing.
 */
export async function releaseAddress(
  context: MemberContext,
  operator: Operator,
  platform: Platform,
  { email, local_user_id: id, requested_at: at }: JsonObject,
): Promise<void> {
  const localUserId = localUserIdOf(id);
  if (localUserId === null || typeof email !== 'string' || !email.includes('@')) return;
  const requestedAt = Math.min(momentOf(at) ?? Infinity, context.now());
  await context.store.write(async (tx) => {
    const link = await tx.memberships.byLocalUserId(platform.id, localUserId);
    if (link === null || requestedAt <= (link.addressedAt ?? link.linkedAt)) return;
    const current = await tx.members.email(link.homeId);
    if (current?.endsWith(placeholderDomain) === true) return;
    const facts = { verified: false, addressedAt: requestedAt, releasedAt: requestedAt };
    await moveAside(context, tx, operator, platform, link, facts);
  });
}

/** Moves a link to an address that no user can have, so that its old address is free. */
export async function moveAside(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  platform: Platform,
  link: Membership,
  facts: Pick<TargetAddress, 'verified' | 'addressedAt' | 'releasedAt'>,
): Promise<void> {
  const email = `${randomBytes(16).toString('hex')}${placeholderDomain}`;
  const address = { email, emailHash: emailHash(email), emailTyped: null, isGivenUp: false };
  const target = { ...address, member: null, ...facts };
  await moveLink(context, tx, operator, platform, link, target);
}

/** Domain of placeholder addresses; RFC 2606 reserves `.invalid`. */
const placeholderDomain = '@no-address.invalid';
