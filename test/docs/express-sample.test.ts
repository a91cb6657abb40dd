import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTriedService, type TriedService } from './tried-service.ts';

const root = resolve(import.meta.dirname, '../..');

/** The file that the guide leaves to its reader, with users and sessions in memory. */
const ownUsers = `
const users = new Map(), sessions = new Map();
const idOf = (request) => /own=(\\w+)/.exec(request.headers.cookie ?? '')?.[1];
export const signUp = ({ email }) => users.set(email, { id: 'u-' + users.size, email }).get(email);
export const logIn = ({ email }) => users.get(email);
export const saveUid = () => {};
export const undoAddress = (id, code, email) => void (users.get(email).id += ' ' + code);
export const sessionOf = (request) => sessions.get(idOf(request)) ?? null;
export const endSession = (request) => sessions.delete(idOf(request));
export function startSession(response, session) {
  sessions.set('s' + sessions.size, session);
  response.append('Set-Cookie', 'own=s' + (sessions.size - 1));
}
`;

test('the Express sample signs up, recognises a visitor by the cookie, and logs out everywhere', async () => {
  await using service = await startTriedService();
  await using site = await startSample(service);
  const person = { email: 'reader@example.com' };
  assert.equal((await site.send('/', {})).text, 'Welcome, guest');
  const { cookies } = await site.send('/sign-up', {}, person);
  const shared = cookies.filter((cookie) => !cookie.startsWith('own='));
  assert.equal(shared.length, 2);
  assert.equal((await site.send('/', { cookies: shared })).text, 'Welcome, u-0');
  const again = await site.send('/login', {}, person);
  assert.equal((await site.send('/', again)).text, 'Welcome, u-0');
  // Without a shared session of its own, a browser still has the session of its previous user.
  const other = { email: 'other@example.com' };
  await site.send('/sign-up', {}, other);
  await service.post('/members/leave', { local_user_id: 'u-1' });
  const alone = await site.send('/login', {}, other);
  const both = { cookies: [...shared, ...alone.cookies] };
  assert.equal((await site.send('/', both)).text, 'Welcome, u-1');
  const refused = await site.send('/sign-up', {}, { email: 'refused@localhost' });
  assert.equal((await site.send('/', refused)).text, 'Welcome, u-2 invalid_email');
  const left = await site.send('/logout', again, {});
  assert.ok(left.cookies.some((cookie) => cookie === 'svc_sso='));
  assert.equal(
    (await site.send('/', { cookies })).text,
    'Welcome, guest',
    'the first device is out too',
  );
});

interface Visit {
  /** Cookies of the browser: `name=value`. */
  readonly cookies?: readonly string[];
}

interface Site extends AsyncDisposable {
  send(path: string, visit: Visit, form?: Readonly<Record<string, string>>): Promise<SiteAnswer>;
}

interface SiteAnswer {
  readonly text: string;
  readonly cookies: readonly string[];
}

async function startSample(service: TriedService): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const guide = readFileSync(join(root, 'docs/en/platform.md'), 'utf8');
  const [, sample] = /^```js sdk-express\n([^]*?)^```/m.exec(guide)!;
  const servicePort = new URL(service.address).port;
  const code = sample!
    .replace('localhost:3000', `localhost:${servicePort}`)
    .replace(
      'app.listen(4000)',
      `const server = app.listen(0, () => console.log(server.address().port))`,
    );
  writeFileSync(join(folder, 'sample.mjs'), code);
  writeFileSync(join(folder, 'your-own-users.js'), ownUsers);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, KEY: service.variables['KEY'] };
  const child = spawn(process.execPath, ['--conditions=maru-source', 'sample.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const address = `http://localhost:${String(line).trim()}`;
  const running = stack.move();
  return {
    async send(path, { cookies = [] }, form) {
      const response = await fetch(address + path, {
        redirect: 'manual',
        headers: {
          cookie: cookies.join('; '),
          origin: service.address.replace('127.0.0.1', 'localhost'),
        },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      const setCookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
      return { text: await response.text(), cookies: setCookies };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
