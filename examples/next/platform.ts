import { withVisitor } from '../../sdk/src/next.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { Accounts, sessionCookie, type PlatformOptions } from '../accounts.ts';
import { platformPage } from '../page.ts';

/**
 * A platform with Next: sign up, log in, see the member, log out. In an application each handler is exported by a file,
 * such as `export const POST = signup` by `app/signup/route.ts`.
 */
export function createPlatform({ platform, scriptUrl, ...options }: PlatformOptions) {
  const accounts = new Accounts();
  const svc = createSvc({
    ...options,
    onRegistered: ({ svc_uid }, { local_user_id }) => accounts.setSvcUid(local_user_id, svc_uid),
  });

  const home = withVisitor(svc, async (request, visitor) => {
    const account = await accounts.accountOf(request.headers.get('cookie'), visitor);
    return new Response(platformPage(platform, scriptUrl, account), { headers: htmlHeaders });
  });

  const signup = withVisitor(svc, async (request, visitor) => {
    const { email, password } = fields(await request.text());
    const account = accounts.signUp(email, password);
    if (account === null) return new Response('This address is taken.', { status: 409 });
    const user = { email, platform, local_user_id: account.id };
    const registered = await visitor.signup(user);
    if (registered !== null) account.svcUid = registered.svc_uid;
    const isShared = registered !== null && (await visitor.ssoLogin(user));
    return redirectHome(sessionCookie(accounts.startSession(account, isShared)));
  });

  const login = withVisitor(svc, async (request, visitor) => {
    const { email, password } = fields(await request.text());
    const account = accounts.logIn(email, password);
    if (account === null) return new Response('Wrong address or password.', { status: 403 });
    const isShared = await visitor.ssoLogin({ email, platform, local_user_id: account.id });
    return redirectHome(sessionCookie(accounts.startSession(account, isShared)));
  });

  const logout = withVisitor(svc, async (request, visitor) => {
    accounts.endSession(request.headers.get('cookie'));
    try {
      await visitor.logout();
    } catch {
      // The shared session is still live.
      return new Response('You are logged out here only. Try again.', { status: 503 });
    }
    return redirectHome();
  });

  return { routes: { home, signup, login, logout }, svc, accounts };
}

const htmlHeaders = { 'Content-Type': 'text/html; charset=utf-8' };

function redirectHome(session?: string): Response {
  const headers = new Headers({ Location: '/' });
  if (session !== undefined) headers.append('Set-Cookie', session);
  return new Response(null, { status: 303, headers });
}

function fields(body: string): { readonly email: string; readonly password: string } {
  const form = new URLSearchParams(body);
  return { email: form.get('email') ?? '', password: form.get('password') ?? '' };
}
