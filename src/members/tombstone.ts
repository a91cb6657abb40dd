import { Problem } from '../kernel/problem.ts';
import { keyedHash, type MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { memberNotFound } from './problem.ts';
import type { Registration } from './registration.ts';
import type { Membership, Platform } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';

/** HMAC of an erased address: without the service's secret no address can be compared with it. */
export function tombstoneOf(context: Pick<MemberContext, 'secret'>, email: string): Buffer {
  return keyedHash(context, 'tombstone', email);
}

/** Records that a link ended, so that an older registration cannot revive its address or its local id. */
export async function noteDeparture(
  context: MemberContext,
  tx: MemberTransaction,
  { homeId, platformId, localUserId }: Membership,
  leftAt: number,
): Promise<void> {
  const email = await tx.members.email(homeId);
  // Memberships refer to their home.
  const { svcUid } = (await tx.members.byId(homeId))!;
  for (const tombstone of tombstonesOf(context, { email, localUserId })) {
    await tx.erasures.noteDeparture({ svcUid, platformId, tombstone, leftAt });
  }
}

/** True for a link whose local id left the platform after the link got its address. */
export async function hasLeft(
  context: MemberContext,
  reads: MemberReads,
  { platformId, localUserId, addressedAt, linkedAt }: Membership,
): Promise<boolean> {
  const [tombstone] = tombstonesOf(context, { email: null, localUserId });
  const leftAt = tombstone && (await reads.erasures.departure(platformId, tombstone));
  return (leftAt ?? -1) >= (addressedAt ?? linkedAt);
}

/** True for a request older than the latest erasure, departure or release: only then can one of them concern it. */
export async function hasLaterDeparture(
  reads: MemberReads,
  { requestedAt }: Pick<Registration, 'requestedAt'>,
): Promise<boolean> {
  return requestedAt !== null && requestedAt <= (await reads.erasures.latest());
}

/**
 * Refuses a registration that was first sent before its address was erased, or its address or local id left the
 * platform: 410 `member_erased`. A new sign-up of the address makes a new member.
 */
export async function refuseErased(
  context: MemberContext,
  reads: MemberReads,
  platform: Platform,
  { email, localUserId, requestedAt }: Registration,
): Promise<void> {
  if (requestedAt === null) return;
  const tombstones = tombstonesOf(context, { email, localUserId });
  // The first is the hash of the address, which is not null here.
  const erasure = await reads.erasures.byTombstone(platform.realm, tombstones[0]!);
  if (erasure !== null && requestedAt <= erasure.erasedAt) throw memberErased();
  for (const tombstone of tombstones) {
    const leftAt = await reads.erasures.departure(platform.id, tombstone);
    if (leftAt !== null && requestedAt <= leftAt) throw memberErased();
  }
  if (localUserId === null) return;
  const leftAt = await reads.erasures.earlyDeparture(platform.id, tombstones.at(-1)!);
  if (leftAt !== null && requestedAt <= leftAt) throw memberErased();
}

/** Records the departure of a local id without a link, so that an older registration cannot make one. */
export async function noteEarlyDeparture(
  context: MemberContext,
  tx: MemberTransaction,
  { id: platformId }: Platform,
  localUserId: string,
  requestedAt: number,
): Promise<void> {
  const [tombstone] = tombstonesOf(context, { email: null, localUserId });
  const now = context.now();
  const departure = { platformId, tombstone: tombstone!, leftAt: Math.min(requestedAt, now) };
  const { earlyDepartureMsMax, earlyDeparturesMax } = memberLimits;
  await tx.erasures.noteEarlyDeparture(departure, now - earlyDepartureMsMax, earlyDeparturesMax);
}

/** Tombstones of the address and the local id that are not null, in this order. */
function tombstonesOf(
  context: MemberContext,
  { email, localUserId }: { readonly email: string | null; readonly localUserId: string | null },
): readonly Buffer[] {
  return [
    ...(email === null ? [] : [tombstoneOf(context, email)]),
    ...(localUserId === null ? [] : [keyedHash(context, 'departed local user', localUserId)]),
  ];
}

function memberErased(): Problem {
  return new Problem('member_erased', {
    ko: '이 회원은 요청에 따라 삭제되었습니다. 다시 보내지 마세요.',
    en: 'This member was erased on request. Do not send it again.',
  });
}

/** Problem for a uid without a membership. Only platforms that it was linked to learn of an erasure. */
export async function memberAbsent(
  reads: MemberReads,
  svcUid: string,
  platform: Platform,
): Promise<Problem> {
  const erasure = await reads.erasures.ofUid(svcUid);
  const wasLinked = erasure !== null && (erasure.platforms & (1 << platform.id)) !== 0;
  return wasLinked ? memberErased() : memberNotFound();
}
