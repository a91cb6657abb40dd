import { visitorOf } from '../../sdk/src/response.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { Accounts, sessionCookie, type PlatformOptions } from '../accounts.ts';
import { platformPage } from '../page.ts';

/** A platform with standard `Request` and `Response`, as Bun, Deno and workers serve them. */
export function createPlatform({ platform, scriptUrl, ...options }: PlatformOptions) {
  const accounts = new Accounts();
  const svc = createSvc({
    ...options,
    onRegistered: ({ svc_uid }, { local_user_id }) => accounts.setSvcUid(local_user_id, svc_uid),
  });

  async function answer(request: Request): Promise<Response> {
    const visitor = visitorOf(svc, request);
    const cookie = request.headers.get('cookie');
    const { pathname } = new URL(request.url);
    if (request.method === 'GET' && pathname === '/') {
      const account = await accounts.accountOf(cookie, visitor);
      return new Response(platformPage(platform, scriptUrl, account), { headers: htmlHeaders });
    }
    if (request.method === 'POST' && pathname === '/logout') {
      accounts.endSession(cookie);
      try {
        await visitor.logout();
      } catch {
        // The shared session is still live.
        return new Response('You are logged out here only. Try again.', { status: 503 });
      }
      return visitor.relay(redirectHome());
    }
    if (request.method !== 'POST' || !['/signup', '/login'].includes(pathname)) {
      return new Response('There is no such page.', { status: 404 });
    }
    const form = new URLSearchParams(await request.text());
    const email = form.get('email') ?? '';
    const password = form.get('password') ?? '';
    const isNew = pathname === '/signup';
    const account = isNew ? accounts.signUp(email, password) : accounts.logIn(email, password);
    if (account === null)
      return new Response('Wrong address or password, or the address is taken.', { status: 403 });
    const user = { email, platform, local_user_id: account.id };
    const registered = isNew ? await visitor.signup(user) : null;
    if (registered !== null) account.svcUid = registered.svc_uid;
    const isShared = (!isNew || registered !== null) && (await visitor.ssoLogin(user));
    return visitor.relay(redirectHome(sessionCookie(accounts.startSession(account, isShared))));
  }

  return { answer, svc, accounts };
}

const htmlHeaders = { 'Content-Type': 'text/html; charset=utf-8' };

function redirectHome(session?: string): Response {
  const headers = new Headers({ Location: '/' });
  if (session !== undefined) headers.append('Set-Cookie', session);
  return new Response(null, { status: 303, headers });
}
