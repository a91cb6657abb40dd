import express from 'express';
import { visitorOf } from '../../sdk/src/express.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { Accounts, sessionCookie, type PlatformOptions } from '../accounts.ts';
import { platformPage } from '../page.ts';

/** A platform with Express: sign up, log in, see the member, log out. */
export function createPlatform({ platform, scriptUrl, ...options }: PlatformOptions) {
  const accounts = new Accounts();
  const svc = createSvc({
    ...options,
    onRegistered: ({ svc_uid }, { local_user_id }) => accounts.setSvcUid(local_user_id, svc_uid),
  });
  const app = express();
  app.use(express.urlencoded({ extended: false }));

  app.get('/', async (request, response) => {
    const visitor = visitorOf(svc, request, response);
    const account = await accounts.accountOf(request.get('cookie'), visitor);
    response.send(platformPage(platform, scriptUrl, account));
  });

  app.post('/signup', async (request, response) => {
    const { email, password } = fields(request.body);
    const account = accounts.signUp(email, password);
    if (account === null) return response.status(409).send('This address is taken.');
    const visitor = visitorOf(svc, request, response);
    const user = { email, platform, local_user_id: account.id };
    const registered = await visitor.signup(user);
    if (registered !== null) account.svcUid = registered.svc_uid;
    const isShared = registered !== null && (await visitor.ssoLogin(user));
    response.append('Set-Cookie', sessionCookie(accounts.startSession(account, isShared)));
    return response.redirect(303, '/');
  });

  app.post('/login', async (request, response) => {
    const { email, password } = fields(request.body);
    const account = accounts.logIn(email, password);
    if (account === null) return response.status(403).send('Wrong address or password.');
    const user = { email, platform, local_user_id: account.id };
    const isShared = await visitorOf(svc, request, response).ssoLogin(user);
    response.append('Set-Cookie', sessionCookie(accounts.startSession(account, isShared)));
    return response.redirect(303, '/');
  });

  app.post('/logout', async (request, response) => {
    accounts.endSession(request.get('cookie'));
    try {
      await visitorOf(svc, request, response).logout();
    } catch {
      // The shared session is still live.
      return response.status(503).send('You are logged out here only. Try again.');
    }
    return response.redirect(303, '/');
  });

  return { app, svc, accounts };
}

/** Fields of a form; Express types a body as `any`. */
function fields(body: unknown): { readonly email: string; readonly password: string } {
  const { email, password } = body as Record<string, unknown>;
  return { email: String(email), password: String(password) };
}
