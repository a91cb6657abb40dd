import { fastify, type FastifyRequest } from 'fastify';
import { visitorOf } from '../../sdk/src/fastify.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { Accounts, sessionCookie, type PlatformOptions } from '../accounts.ts';
import { platformPage } from '../page.ts';

/** A platform with Fastify: sign up, log in, see the member, log out. */
export function createPlatform({ platform, scriptUrl, ...options }: PlatformOptions) {
  const accounts = new Accounts();
  const svc = createSvc({
    ...options,
    onRegistered: ({ svc_uid }, { local_user_id }) => accounts.setSvcUid(local_user_id, svc_uid),
  });
  const app = fastify();
  const form = 'application/x-www-form-urlencoded';
  app.addContentTypeParser(form, { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );

  app.get('/', async (request, reply) => {
    const account = await accounts.accountOf(
      request.headers.cookie,
      visitorOf(svc, request, reply),
    );
    return reply.type('text/html; charset=utf-8').send(platformPage(platform, scriptUrl, account));
  });

  app.post('/signup', async (request, reply) => {
    const { email, password } = fields(request);
    const account = accounts.signUp(email, password);
    if (account === null) return reply.code(409).send('This address is taken.');
    const visitor = visitorOf(svc, request, reply);
    const user = { email, platform, local_user_id: account.id };
    const registered = await visitor.signup(user);
    if (registered !== null) account.svcUid = registered.svc_uid;
    const isShared = registered !== null && (await visitor.ssoLogin(user));
    void reply.header('set-cookie', sessionCookie(accounts.startSession(account, isShared)));
    return reply.redirect('/', 303);
  });

  app.post('/login', async (request, reply) => {
    const { email, password } = fields(request);
    const account = accounts.logIn(email, password);
    if (account === null) return reply.code(403).send('Wrong address or password.');
    const user = { email, platform, local_user_id: account.id };
    const isShared = await visitorOf(svc, request, reply).ssoLogin(user);
    void reply.header('set-cookie', sessionCookie(accounts.startSession(account, isShared)));
    return reply.redirect('/', 303);
  });

  app.post('/logout', async (request, reply) => {
    accounts.endSession(request.headers.cookie);
    try {
      await visitorOf(svc, request, reply).logout();
    } catch {
      // The shared session is still live.
      return reply.code(503).send('You are logged out here only. Try again.');
    }
    return reply.redirect('/', 303);
  });

  return { app, svc, accounts };
}

/** Fields of a form, as the parser above returns them. */
function fields({ body }: FastifyRequest): { readonly email: string; readonly password: string } {
  const form = body as URLSearchParams;
  return { email: form.get('email') ?? '', password: form.get('password') ?? '' };
}
