import { hash } from 'node:crypto';

/** SHA-256 of a text. Reads the digest as a Latin-1 string, because `hash` takes three times as long to return a buffer. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'latin1');
}
