import { randomFillSync } from 'node:crypto';

/** Lower-case RFC 4648 base32 without padding: five bits a letter, and no letter that a log or URL would escape. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31]!;
    held &= 31;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31]! : text;
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

/** One call to the generator serves some eighty identifiers; letters handed out are wiped. */
const pool = new Uint8Array(4_096);
let taken = pool.length;
