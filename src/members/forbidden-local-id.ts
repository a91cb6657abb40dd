import { findForbidden } from './forbidden-content.ts';
import type { MemberReads } from './store/store.ts';

/**
 * True for a local id with a number that must never be stored. An id of digits alone can look like a card by chance: it
 * counts as one only in a range that is issued, and until the platform has another id of as many digits that is none.
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
  const isNumbering = others.some(
    (other) =>
      other.length === localUserId.length &&
      /^\d+$/.test(other) &&
      findForbidden(other, now) === null,
  );
  return !isNumbering;
}

/**
 * 15 digits of Amex; 16 of Visa, Mastercard, Discover, UnionPay, JCB and Korean cards, which are 24 % of all numbers of
 * 16 digits.
 */
const issuedRange =
  /^(?:3[47]\d{13}|4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|6011\d{12}|64[4-9]\d{13}|6[25]\d{14}|35(?:2[89]|[3-8]\d)\d{12}|94\d{14})$/;
const othersMax = 20;
