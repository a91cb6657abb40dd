import { hash } from 'node:crypto';
import type { Coding } from './preferences.ts';

/**
 * Name of a body: a hash of the data's version and of everything that the body is made from. 22 characters.
 */
export function tagOf(version: string, ...parts: readonly string[]): string {
  return hash('sha256', `${version}\n${parts.join('\n')}`, 'base64url').slice(0, 22);
}

/** Name of a body that depends on nothing else: a hash of its bytes. */
export function tagOfBytes(body: Uint8Array): string {
  let tag = tags.get(body);
  if (tag === undefined) tags.set(body, (tag = hash('sha256', body, 'base64url').slice(0, 22)));
  return tag;
}

/** Tags of bodies that are served repeatedly. Their bytes never change, so each is hashed once. */
const tags = new WeakMap<Uint8Array, string>();

/** A strong tag: other bytes, so also another coding, have another tag. */
export function entityTag(tag: string, coding: Coding | null): string {
  return coding === null ? `"${tag}"` : `"${tag}-${coding}"`;
}

/**
 * The tag of an `If-None-Match` that still matches, or null. Both the body in the client's coding and the plain
 * one count: short bodies stay plain.
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
