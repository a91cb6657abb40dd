import { memberLimits } from './limits.ts';

/**
 * Finds numbers that must never be stored: those of payment cards, and resident registration numbers. Searches the
 * whole value, including the names of properties. Null if there is none.
 */
export function findForbidden(value: unknown, now: number): ForbiddenKind | null {
  switch (typeof value) {
    case 'string':
      return inText(value, now);
    case 'number':
      return Number.isSafeInteger(value) ? inText(String(value), now) : null;
    case 'object':
      return value === null ? null : inObject(value, now);
    default:
      return null;
  }
}

/**
 * Like `findForbidden`, for an event id, which may be the number of an order. A date of the last 400 days with seven
 * more digits is taken for an order of that day, not for the registration number of a child.
 */
export function findForbiddenInEventId(eventId: string, now: number): ForbiddenKind | null {
  const found = findForbidden(eventId, now);
  if (found !== 'resident_registration_number') return found;
  return findForbidden(eventId, now - memberLimits.serverEventAgeMs);
}

type ForbiddenKind = 'card_number' | 'resident_registration_number';

function inObject(value: object, now: number): ForbiddenKind | null {
  const split = Array.isArray(value) ? inSplitNumber(value, now) : null;
  if (split !== null) return split;
  for (const [name, inner] of Object.entries(value)) {
    const found = inText(name, now) ?? findForbidden(inner, now);
    if (found !== null) return found;
  }
  return null;
}

/** Finds a number that the boxes of a form split into single digits, or into the groups in which it is written. */
function inSplitNumber(list: readonly unknown[], now: number): ForbiddenKind | null {
  if (list.length < 2 || list.length > cardDigitsMax) return null;
  const groups: string[] = [];
  for (const entry of list) {
    if (typeof entry !== 'string' || entry.length > 2 * digitsMin) return null;
    const group = plainText(entry).trim();
    if (!/^\d+$/.test(group)) return null;
    groups.push(group);
  }
  const isOfDigits = groups.every(({ length }) => length === 1);
  const lengths = groups.map(({ length }) => length).join();
  if (!isOfDigits && !splitLengths.has(lengths)) return null;
  return inText(groups.join(isOfDigits ? '' : '-'), now);
}

/** Lengths of the groups of cards of 16, 15 and 14 digits, and of a resident registration number. */
const splitLengths: ReadonlySet<string> = new Set(['4,4,4,4', '4,6,5', '4,6,4', '6,7']);

function inText(text: string, now: number): ForbiddenKind | null {
  if (text.length < digitsMin) return null;
  const plain = plainText(text);
  const found = inDigits(plain, now);
  return found === null ? null : inDigits(plain.replace(randomIdentifier, 'x'), now);
}

/**
 * A UUID, or 16 to 32 random bytes in hexadecimal. They are not searched: one in 3,000 contains digits like a card's.
 */
const randomIdentifier =
  /(?<![\da-z])(?=[\d-]*[a-f])(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{32,64})(?![\da-z])/gi;

function inDigits(plain: string, now: number): ForbiddenKind | null {
  // Unlike `matchAll`, `match` does not copy the expression. Most requests have an identifier with digits.
  for (const run of plain.match(digitRun) ?? []) {
    const groups = run.split(/\D+/);
    if (isResidentNumber(groups, now)) return 'resident_registration_number';
    if (containsCard(groups, now)) return 'card_number';
  }
  return null;
}

/** A text with ASCII for every kind of digit and dash, without invisible characters. */
function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- The bounds of ASCII.
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);
}

/** Decimal digits are in runs of ten, from zero (Unicode, chapter 4.6). */
function asciiDigit(character: string): string {
  const code = character.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Digits with at most three blanks, dots, slashes or dashes between them. */
const digitRun = /\d(?:[\s./_-]{0,3}\d){12,}/g;
const digitsMin = 13;
const cardDigitsMax = 19;

/** True if neighbouring groups form a number with the length, network and check digit of a card. */
function containsCard(groups: readonly string[], now: number): boolean {
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < cardDigitsMax; last++) {
      digits += groups[last]!;
      if (cardShape.test(digits) && passesLuhn(digits) && !isMoment(digits, now)) return true;
    }
  }
  return false;
}

/** Card networks: 4 Visa, 5 and 2 Mastercard, 34/37 Amex, 30/36/38/35 Diners and JCB, 6 others, 9 Korean domestic. */
const cardShape =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5\d{15}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18}|9\d{15})$/;

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * True for `YYMMDD-SXXXXXX`. Numbers issued since October 2020 have no check digit, so the date of birth and the digit
 * for the sex decide. Times in milliseconds and barcodes have thirteen digits without a dash too: they are accepted.
 */
function isResidentNumber(groups: readonly string[], now: number): boolean {
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at]!;
    const next = groups[at + 1] ?? '';
    if (group.length === 6 && next.length === 7 && isBorn(group + next, now)) return true;
    if (group.length !== 13 || !isBorn(group, now)) continue;
    if (!isMoment(group, now) && !isBarcode(group)) return true;
  }
  return false;
}

/**
 * True for a past date of birth. S is 1 or 2 for the 1900s, 3 or 4 for the 2000s, 5 to 8 likewise for foreigners.
 * Births more than 99 years ago do not count: `261122-1…` is an order of 2026, and fewer than one person in 5,000 is so
 * old.
 */
function isBorn(digits: string, now: number): boolean {
  const sex = Number(digits[6]);
  if (sex < 1 || sex > 8) return false;
  const century = sex === 3 || sex === 4 || sex >= 7 ? 2000 : 1900;
  const year = century + Number(digits.slice(0, 2));
  const month = Number(digits.slice(2, 4));
  const day = Number(digits.slice(4, 6));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate && date.getTime() <= now && date.getTime() > now - ageYearsMax * yearMs;
}

const yearMs = 365.25 * 86_400_000;
const ageYearsMax = 99;

/** True for a time in milliseconds that is within a year of the current time. */
function isMoment(digits: string, now: number): boolean {
  return digits.length === 13 && Math.abs(Number(digits) - now) < 366 * 86_400_000;
}

/** True for EAN-13: with the weights 1 and 3 the sum is a multiple of ten. */
function isBarcode(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}
