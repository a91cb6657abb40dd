import { Problem } from '../kernel/problem.ts';
import { keyedHash, type MemberContext } from './context.ts';
import type { Registration } from './registration.ts';
import type { Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/** HMAC of an erased address: an address cannot be tested against it without the service's secret. */
export function tombstoneOf(context: Pick<MemberContext, 'secret'>, email: string): Buffer {
  return keyedHash(context, 'tombstone', email);
}

/**
 * Refuses a registration that was first sent before its address was erased: 410 `member_erased`. A new sign-up of the
 * address makes a new member.
 */
export async function refuseErased(
  context: MemberContext,
  reads: MemberReads,
  platform: Platform,
  { email, requestedAt }: Registration,
): Promise<void> {
  if (requestedAt === null) return;
  const tombstone = tombstoneOf(context, email);
  const erasure = await reads.erasures.byTombstone(platform.realm, tombstone);
  if (erasure !== null && requestedAt <= erasure.erasedAt) throw memberErased();
}

export function memberErased(): Problem {
  return new Problem('member_erased', {
    ko: '이 회원은 요청에 따라 삭제되었습니다. 다시 보내지 마세요.',
    en: 'This member was erased on request. Do not send it again.',
  });
}
