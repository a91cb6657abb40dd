import { recordBrowserEvent, recordBrowserEvents } from '../events.ts';
import { instantText } from '../instant.ts';
import { lookUpSelf, selfView } from '../lookup.ts';
import { pageCrossPlatform, pageNorthStar } from '../page-statistics.ts';
import { logOut } from '../session.ts';
import type { OpenHandlers, SessionHandlers } from './calls.ts';
import { clearedCookies } from './cookies.ts';
import { eventResult, eventBatchResult } from './server-routes.ts';

/** Handlers of the routes for pages that need no session. */
export const openHandlers = {
  async me({ host, match, tokens }) {
    if (match.kind === 'live') {
      const { session } = match;
      const member = await selfView(host.context, session);
      // `selfView` has just read the platforms.
      const { all } = host.context.platforms.lastRead;
      return {
        status: 200,
        body: {
          authenticated: true,
          svc_uid: session.member.svcUid,
          member,
          session: {
            id: session.id,
            issued_by: all.find(({ id }) => id === session.platformId)?.code ?? '',
            expires_at: instantText(session.expiresAt),
          },
        },
      };
    }
    const anonymous = { authenticated: false, svc_uid: null, member: null } as const;
    if (match.kind === 'ambiguous') {
      return { status: 200, body: { ...anonymous, reason: 'ambiguous_session' } };
    }
    // Cleared, because browsers would send a dead cookie with every page.
    const cookies = tokens.length === 0 ? [] : clearedCookies(host.cookies);
    return { status: 200, body: anonymous, cookies };
  },

  async logout({ host, tokens, body }) {
    const revoked = await logOut(host.context, tokens, body.scope ?? 'one');
    return { status: 200, body: { ok: true, revoked }, cookies: clearedCookies(host.cookies) };
  },
} as const satisfies OpenHandlers;

/** Handlers of the routes for pages that need a session. */
export const sessionHandlers = {
  async event({ host, session, origin, body }) {
    return eventResult(
      await recordBrowserEvent(host.context, session, origin ?? host.ownOrigin, body),
    );
  },

  async eventBatch({ host, session, origin, body, language }) {
    const pageOrigin = origin ?? host.ownOrigin;
    const answers = await recordBrowserEvents(host.context, session, pageOrigin, body.events);
    return eventBatchResult(answers, language);
  },

  async lookup({ host, session, body }) {
    return { status: 200, body: { member: await lookUpSelf(host.context, session, body) } };
  },

  async crossPlatform({ host, origin }) {
    return { status: 200, body: await pageCrossPlatform(host.context, origin) };
  },

  async northStar({ host, origin }) {
    return { status: 200, body: await pageNorthStar(host.context, origin) };
  },
} as const satisfies SessionHandlers;
