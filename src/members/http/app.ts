import type { Router } from '../../kernel/http/router.ts';
import type { MemberContext } from '../context.ts';
import { clientAddress } from './client-address.ts';
import type { MembersHost } from './host.ts';
import type { MembersConfig } from './members-config.ts';
import { PlatformTraffic } from './platform-traffic.ts';
import { RateLimiter } from './rate-limiter.ts';
import { serveMembers } from './serve.ts';
import { SessionSightings } from './session-sightings.ts';

interface MembersAppOptions {
  readonly router: Router;
  readonly context: MemberContext;
  readonly config: MembersConfig;
  readonly sightings?: SessionSightings;
  readonly traffic?: PlatformTraffic;
}

/** Adds the members service to a listener: server and browser routes. */
export function addMembers({
  router,
  context,
  config,
  sightings = new SessionSightings(),
  traffic = new PlatformTraffic(context.now()),
}: MembersAppOptions): MembersHost {
  const host: MembersHost = {
    server: router.server,
    context,
    limiter: new RateLimiter(config.rateScale),
    address: clientAddress(config.trustedProxies),
    sightings,
    traffic,
    cookies: config.cookies,
    ownOrigin: config.origin,
  };
  router.server.metrics.gauge(
    'maru_sessions_suspected',
    'Sessions used from two places at about the same time, since the start.',
    () => sightings.count,
  );
  serveMembers(router, host);
  return host;
}
