import { createHmac } from 'node:crypto';
import type { PlatformDirectory } from './platform-directory.ts';
import type { MemberStore } from './store/store.ts';

/** What every operation of the service works with. */
export interface MemberContext {
  readonly store: MemberStore;
  readonly platforms: PlatformDirectory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Kept beside the store, never in it: keys tombstones and the audit chain. */
  readonly secret: Uint8Array;
}

/** HMAC-SHA256 under the service's secret, each use with a name of its own. */
export function keyedHash(
  context: Pick<MemberContext, 'secret'>,
  use: string,
  text: string,
): Buffer {
  return createHmac('sha256', context.secret).update(`${use}\n${text}`).digest();
}
