import { findForbidden } from './forbidden-content.ts';
import type { MemberReads } from './store/store.ts';

/**
 * True for a local id with a number that must never be stored. An id of digits can look like a card number by chance.
 * It counts as one only if cards are issued in its range, and no other id of the platform with as many digits is
 * harmless.
 */
export async function isForbiddenLocalId(
  reads: MemberReads,
  platformId: number,
  localUserId: string,
  now: number,
): Promise<boolean> {
  const found = findForbidden(localUserId, now);
  if (found !== 'card_number' || !/^\d+$/.test(localUserId)) return found !== null;
  if (!issuedRange.test(localUserId)) return false;
  const others = await reads.memberships.someLocalUserIds(platformId, othersMax);
  const hasHarmless = others.some(
    (other) =>
      other.length === localUserId.length &&
      /^\d+$/.test(other) &&
      findForbidden(other, now) === null,
  );
  return !hasHarmless;
}

/**
 * 15 digits of Amex; 16 of Visa, Mastercard, Discover, UnionPay, JCB and Korean cards, which are 24 % of all numbers of
 * 16 digits.
 */
const issuedRange =
  /^(?:3[47]\d{13}|4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|6011\d{12}|64[4-9]\d{13}|6[25]\d{14}|35(?:2[89]|[3-8]\d)\d{12}|94\d{14})$/;
const othersMax = 20;
