import { hash } from 'node:crypto';
import type { Coding } from './preferences.ts';

/**
 * Tag of a body: 22 characters of a hash of the data's version and of everything else that determines the body.
 */
export function tagOf(version: string, ...parts: readonly string[]): string {
  return hash('sha256', `${version}\n${parts.join('\n')}`, 'base64url').slice(0, 22);
}

/** Tag of a body by its bytes alone. */
export function tagOfBytes(body: Uint8Array): string {
  let tag = tags.get(body);
  if (tag === undefined) tags.set(body, (tag = hash('sha256', body, 'base64url').slice(0, 22)));
  return tag;
}

/** Tags of bodies that are served repeatedly. Their bytes never change, so each is hashed once. */
const tags = new WeakMap<Uint8Array, string>();

/** The strong entity tag of a body in one coding (RFC 9110, 8.8.1). */
export function entityTag(tag: string, coding: Coding | null): string {
  return coding === null ? `"${tag}"` : `"${tag}-${coding}"`;
}

/**
 * The tag in `If-None-Match` that matches the body, or null. The tag without a coding counts too, since short
 * bodies are not compressed.
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
