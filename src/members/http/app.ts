import type { ServerContext } from '../../kernel/http/server-context.ts';
import type { App } from '../../kernel/http/route.ts';
import type { MemberContext } from '../context.ts';
import { clientAddress } from './client-address.ts';
import type { MembersHost } from './host.ts';
import type { MembersConfig } from './members-config.ts';
import { RateLimiter } from './rate-limiter.ts';
import { serveMembers } from './serve.ts';

export interface MembersAppOptions {
  readonly app: App;
  readonly front: ServerContext;
  readonly context: MemberContext;
  readonly config: MembersConfig;
}

/** Adds the members service to an application: server and browser routes. */
export function addMembers({ app, front, context, config }: MembersAppOptions): MembersHost {
  const host: MembersHost = {
    app,
    front,
    context,
    limiter: new RateLimiter(config.rateScale),
    address: clientAddress(config.trustedProxies),
    cookies: config.cookies,
    ownOrigin: config.origin,
  };
  serveMembers(host);
  return host;
}
