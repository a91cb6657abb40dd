import type { ServerContext } from '../../kernel/http/server-context.ts';
import type { App } from '../../kernel/http/route.ts';
import type { MemberContext } from '../context.ts';
import type { ClientAddress } from './client-address.ts';
import type { CookiePolicy } from './cookies.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What every route of the members service works with. */
export interface MembersHost {
  readonly app: App;
  readonly front: ServerContext;
  readonly context: MemberContext;
  readonly limiter: RateLimiter;
  readonly address: ClientAddress;
  readonly cookies: CookiePolicy;
  /** The service's own origin, as a browser writes it: pages of its own count as same-origin. */
  readonly ownOrigin: string;
}
