import { createHmac } from 'node:crypto';
import type { PlatformDirectory } from './platform-directory.ts';
import type { MemberStore } from './store/store.ts';

/** Dependencies of every operation of the service. */
export interface MemberContext {
  readonly store: MemberStore;
  readonly platforms: PlatformDirectory;
  /** Domain of the session cookies; absent or null where they belong to one host. */
  readonly cookieDomain?: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Key of the tombstones and the audit chain; stored beside the store, never in it. */
  readonly secret: Uint8Array;
}

/** HMAC-SHA256 under the service's secret. Each use has its own name. */
export function keyedHash(
  context: Pick<MemberContext, 'secret'>,
  use: string,
  text: string,
): Buffer {
  return createHmac('sha256', context.secret).update(`${use}\n${text}`).digest();
}
