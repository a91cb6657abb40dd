import { hash } from 'node:crypto';
import type { Coding } from './preferences.ts';

/** What names a body: the data's version and everything the body is made from. 22 characters. */
export function tagOf(version: string, ...parts: readonly string[]): string {
  return hash('sha256', `${version}\n${parts.join('\n')}`, 'base64url').slice(0, 22);
}

/** What names a body that is its own description. */
export function tagOfBytes(body: Uint8Array): string {
  let tag = tags.get(body);
  if (tag === undefined) tags.set(body, (tag = hash('sha256', body, 'base64url').slice(0, 22)));
  return tag;
}

/** A body that is served again and again is hashed once; nobody changes the bytes of one. */
const tags = new WeakMap<Uint8Array, string>();

/** A strong tag: other bytes, so also another coding, have another tag. */
export function entityTag(tag: string, coding: Coding | null): string {
  return coding === null ? `"${tag}"` : `"${tag}-${coding}"`;
}

/**
 * The tag that an `If-None-Match` holds already, or null. The body of the coding this client would get
 * counts, and the plain one: short bodies stay plain.
 */
export function matchingTag(header: string, tag: string, coding: Coding | null): string | null {
  if (!header.includes(tag)) return null;
  for (const item of header.split(',')) {
    const candidate = item.trim().replace(/^W\//, '');
    if (candidate === entityTag(tag, null)) return candidate;
    if (coding !== null && candidate === entityTag(tag, coding)) return candidate;
  }
  return null;
}
