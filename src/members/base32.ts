import { randomFillSync } from 'node:crypto';

/** Lower-case RFC 4648 base32 without padding: needs no escaping in a log or URL. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  let bits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(rest >>> (bits - 5)) & 31]!;
    rest &= 31;
  }
  return bits > 0 ? text + alphabet[(rest << (5 - bits)) & 31]! : text;
}

/** `length` letters of base32, five random bits each, from the system's generator. */
export function randomLetters(length: number): string {
  if (taken + length > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  let text = '';
  for (const end = taken + length; taken < end; taken++) {
    text += alphabet[pool[taken]! & 31]!;
    pool[taken] = 0;
  }
  return text;
}

export const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Random bytes for some eighty identifiers. Used bytes are wiped. */
const pool = new Uint8Array(4_096);
let taken = pool.length;
