import { crc32 } from 'node:zlib';
import { alphabet, randomLetters } from './base32.ts';
import { sha256 } from './sha256.ts';

/** A new bearer token or key: a prefix, 260 random bits and a checksum. */
export function newCheckedSecret(prefix: string): string {
  const body = prefix + randomLetters(secretLength);
  return body + checksum(body);
}

/** True for a text of the prefix, a secret and its checksum. Other texts are refused without reading the store. */
export function isCheckedSecret(text: string, prefix: string): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength) return false;
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(0, -checksumLength);
  return lettersOnly.test(text.slice(prefix.length)) && text.endsWith(checksum(body));
}

/** SHA-256, the stored form of a token or key. With 260 random bits it needs no salt and no slow hash. */
export function secretHash(secret: string): Buffer {
  return sha256(secret);
}

/** SHA-256 over parts, each with its length, so that different lists of parts have different texts. */
export function digestOf(...parts: readonly string[]): Buffer {
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** 52 letters of base32: 260 bits. */
const secretLength = 52;
const checksumLength = 7;
const lettersOnly = /^[a-z2-7]+$/;

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text += alphabet[rest & 31]!;
    rest >>>= 5;
  }
  return text;
}
