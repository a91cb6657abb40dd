import type { ServerContext } from '../../kernel/http/server-context.ts';
import type { MemberContext } from '../context.ts';
import type { ClientAddress } from './client-address.ts';
import type { CookiePolicy } from './cookies.ts';
import type { PlatformTraffic } from './platform-traffic.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { SessionSightings } from './session-sightings.ts';

/** Dependencies of the routes of the members service. */
export interface MembersHost {
  readonly server: ServerContext;
  readonly context: MemberContext;
  readonly limiter: RateLimiter;
  readonly address: ClientAddress;
  readonly sightings: SessionSightings;
  readonly traffic: PlatformTraffic;
  readonly cookies: CookiePolicy;
  /** The service's own origin, as a browser writes it. Its own pages count as same-origin. */
  readonly ownOrigin: string;
}
