import type { Router } from '../../kernel/http/router.ts';
import type { MemberContext } from '../context.ts';
import { clientAddress } from './client-address.ts';
import type { MembersHost } from './host.ts';
import type { MembersConfig } from './members-config.ts';
import { RateLimiter } from './rate-limiter.ts';
import { serveMembers } from './serve.ts';

interface MembersAppOptions {
  readonly router: Router;
  readonly context: MemberContext;
  readonly config: MembersConfig;
}

/** Adds the members service to a listener: server and browser routes. */
export function addMembers({ router, context, config }: MembersAppOptions): MembersHost {
  const host: MembersHost = {
    server: router.server,
    context,
    limiter: new RateLimiter(config.rateScale),
    address: clientAddress(config.trustedProxies),
    cookies: config.cookies,
    ownOrigin: config.origin,
  };
  serveMembers(router, host);
  return host;
}
