import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { PlatformDirectory } from './platform-directory.ts';
import type { MemberStore } from './store/store.ts';

/** Dependencies of every operation of the service. */
export interface MemberContext {
  readonly store: MemberStore;
  readonly platforms: PlatformDirectory;
  /** Domain of the session cookies; absent or null if they belong to one host. */
  readonly cookieDomain?: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Key of the tombstones and the audit chain; stored beside the store, never in it. */
  readonly secret: Uint8Array;
  /** Days after which every backup and log of the store is gone; absent or 0 if the operator states none. */
  readonly backupDays?: number;
  /** True while members are imported: no webhook then reports a new member or link. */
  readonly isQuiet?: boolean;
}

/** HMAC-SHA256 with the service's secret. `use` keeps the hashes of different purposes apart. */
export function keyedHash(
  context: Pick<MemberContext, 'secret'>,
  use: string,
  text: string,
): Buffer {
  const { secret } = context;
  let key = keys.get(secret);
  if (key === undefined) keys.set(secret, (key = createSecretKey(secret)));
  // By way of a Latin-1 string: `digest()` alone returns a buffer that is slow to allocate and to collect.
  const digest = createHmac('sha256', key).update(`${use}\n${text}`).digest('binary');
  return Buffer.from(digest, 'latin1');
}

/** Key objects by secret: with a prepared key an HMAC takes 5 µs, else 18. */
const keys = new WeakMap<Uint8Array, KeyObject>();
