import { invalid } from '../problem.ts';
import { recordBrowserEvent, recordBrowserEvents } from '../events.ts';
import { instantText } from '../instant.ts';
import { lookUpSelf, selfView } from '../lookup.ts';
import { logOut } from '../session.ts';
import type { BrowserHandler, SessionHandler } from './calls.ts';
import { clearedCookies } from './cookies.ts';
import { eventAnswered, eventsAnswered, objectsOf } from './server-routes.ts';

/** What a page can ask with or without a session. */
export const openHandlers = {
  async me({ host, finding, tokens }) {
    if (finding.kind === 'live') {
      const { session } = finding;
      const platforms = await host.context.platforms.allAt(session.platformsVersion);
      const issuer = platforms.find(({ id }) => id === session.platformId);
      return {
        status: 200,
        body: {
          authenticated: true,
          svc_uid: session.member.svcUid,
          member: selfView(platforms, session),
          session: {
            id: session.id,
            issued_by: issuer?.code ?? '',
            expires_at: instantText(session.expiresAt),
          },
        },
      };
    }
    const nobody = { authenticated: false, svc_uid: null, member: null };
    if (finding.kind === 'ambiguous') {
      return { status: 200, body: { ...nobody, reason: 'ambiguous_session' } };
    }
    // A dead cookie would be asked about again with every page.
    const cookies = tokens.length === 0 ? [] : clearedCookies(host.cookies);
    return { status: 200, body: nobody, cookies };
  },

  async logout({ host, tokens, body }) {
    const scope = body['scope'] ?? 'one';
    if (scope !== 'one' && scope !== 'all') throw invalidScope();
    const revoked = await logOut(host.context, tokens, scope);
    return { status: 200, body: { ok: true, revoked }, cookies: clearedCookies(host.cookies) };
  },
} as const satisfies Record<string, BrowserHandler>;

/** What a page can ask with a live session only. */
export const sessionHandlers = {
  async event({ host, session, origin, body }) {
    return eventAnswered(
      await recordBrowserEvent(host.context, session, origin ?? host.ownOrigin, body),
    );
  },

  async eventBatch({ host, session, origin, body, request }) {
    const bodies = objectsOf(body, 'events');
    const from = origin ?? host.ownOrigin;
    const answers = await recordBrowserEvents(host.context, session, from, bodies);
    return eventsAnswered(answers, request.language);
  },

  async lookup({ host, session, body }) {
    return { status: 200, body: { member: await lookUpSelf(host.context, session, body) } };
  },
} as const satisfies Record<string, SessionHandler>;

function invalidScope() {
  return invalid(
    'validation_failed',
    '/scope',
    { ko: 'scope가 올바르지 않습니다.', en: 'The scope is not known.' },
    { ko: 'one이나 all을 보내세요.', en: 'Send one or all.' },
  );
}
