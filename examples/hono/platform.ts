import { Hono } from 'hono';
import { visitorOf } from '../../sdk/src/hono.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { Accounts, sessionCookie, type PlatformOptions } from '../accounts.ts';
import { platformPage } from '../page.ts';

/** A platform with Hono: sign up, log in, see the member, log out. */
export function createPlatform({ platform, scriptUrl, ...options }: PlatformOptions) {
  const accounts = new Accounts();
  const svc = createSvc({
    ...options,
    onRegistered: ({ svc_uid }, { local_user_id }) => accounts.setSvcUid(local_user_id, svc_uid),
  });
  const app = new Hono();

  app.get('/', async (context) => {
    const cookie = context.req.header('cookie');
    const account = await accounts.accountOf(cookie, visitorOf(svc, context));
    return context.html(platformPage(platform, scriptUrl, account));
  });

  app.post('/signup', async (context) => {
    const { email, password } = fields(await context.req.parseBody());
    const account = accounts.signUp(email, password);
    if (account === null) return context.text('This address is taken.', 409);
    const visitor = visitorOf(svc, context);
    const user = { email, platform, local_user_id: account.id };
    const registered = await visitor.signup(user);
    if (registered !== null) account.svcUid = registered.svc_uid;
    const isShared = registered !== null && (await visitor.ssoLogin(user));
    const session = sessionCookie(accounts.startSession(account, isShared));
    context.header('Set-Cookie', session, { append: true });
    return context.redirect('/', 303);
  });

  app.post('/login', async (context) => {
    const { email, password } = fields(await context.req.parseBody());
    const account = accounts.logIn(email, password);
    if (account === null) return context.text('Wrong address or password.', 403);
    const user = { email, platform, local_user_id: account.id };
    const isShared = await visitorOf(svc, context).ssoLogin(user);
    const session = sessionCookie(accounts.startSession(account, isShared));
    context.header('Set-Cookie', session, { append: true });
    return context.redirect('/', 303);
  });

  app.post('/logout', async (context) => {
    accounts.endSession(context.req.header('cookie'));
    try {
      await visitorOf(svc, context).logout();
    } catch {
      // The shared session is still live.
      return context.text('You are logged out here only. Try again.', 503);
    }
    return context.redirect('/', 303);
  });

  return { app, svc, accounts };
}

function fields({ email, password }: Readonly<Record<string, unknown>>) {
  return { email: String(email), password: String(password) };
}
