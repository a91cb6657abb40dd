import type { ServerContext } from '../../kernel/http/server-context.ts';
import type { App } from '../../kernel/http/route.ts';
import type { Settings } from '../../kernel/settings.ts';
import type { MemberContext } from '../context.ts';
import { clientAddress } from './client-address.ts';
import { membersPlace } from './cookie-domain.ts';
import type { MembersHost } from './host.ts';
import { RateLimiter } from './rate-limiter.ts';
import { serveMembers } from './serve.ts';

export interface MembersAppOptions {
  readonly app: App;
  readonly front: ServerContext;
  readonly context: MemberContext;
  readonly settings: Pick<
    Settings,
    | 'MARU_MEMBERS_URL'
    | 'MARU_COOKIE_DOMAIN'
    | 'MARU_PREVIOUS_COOKIE_DOMAINS'
    | 'MARU_TRUSTED_PROXIES'
    | 'MARU_RATE_SCALE'
    | 'PORT'
  >;
}

/** Adds the members service to an application: server and browser routes. */
export function addMembers({ app, front, context, settings }: MembersAppOptions): MembersHost {
  const place = membersPlace(settings);
  const host: MembersHost = {
    app,
    front,
    context,
    limiter: new RateLimiter(settings.MARU_RATE_SCALE),
    address: clientAddress(settings.MARU_TRUSTED_PROXIES),
    cookies: place.cookies,
    ownOrigin: place.origin,
  };
  serveMembers(host);
  return host;
}
