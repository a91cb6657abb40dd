import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileOutbox } from '../../sdk/src/outbox.ts';
import { createSvc, type Svc, type SvcOptions } from '../../sdk/src/svc.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openService, type Service } from './rig.ts';

for (const [calls, moment] of [
  [0, 'before its calls'],
  [1, 'between its calls'],
] as const) {
  test(`an exchange of addresses that is killed ${moment} is completed at the next start`, async () => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const service = await openService(stack);
    const [outbox, database] = ['outbox.jsonl', 'users.db'].map((name) => join(folder.path, name));
    const users = stack.adopt(new DatabaseSync(database!), (opened) => opened.close());
    users.exec(`
      CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT, since TEXT, settled_email TEXT);
      INSERT INTO users (id, email) VALUES ('kim', 'kim@example.com'), ('lee', 'lee@example.com')`);
    const settle: SvcOptions['onRegistered'] = (_, { email, local_user_id: id }) => {
      users.prepare('UPDATE users SET settled_email = ? WHERE id = ?').run(email, String(id));
    };
    const open = () =>
      openClient(stack, service, { outbox: fileOutbox(outbox!), onRegistered: settle });
    const before = open();
    await signUpUnsettled(users, before);
    const cards = openClient(stack, service, { platform: 'cards' });
    const arrivalCookies = new Map<string, string>();
    for (const id of ['kim', 'lee']) {
      const user = { email: `${id}@example.com`, platform: 'cards', local_user_id: `c-${id}` };
      await cards.signup(user);
      arrivalCookies.set(id, cookieOf(await cards.ssoLogin(user)));
    }
    await before.close();

    const script = resolve(import.meta.dirname, 'exchange-once.ts');
    const args = [service.address, service.keys.books, outbox!, database!, String(calls)];
    const [, signal] = await once(spawn(process.execPath, [script, ...args]), 'exit');
    assert.equal(signal, 'SIGKILL');
    service.clock.now = Date.now();

    const after = open();
    const login = async (id: string) => {
      const { email } = users.prepare('SELECT email FROM users WHERE id = ?').get(id)!;
      const user = { email: String(email), platform: 'books', local_user_id: id };
      return cookieOf(await after.ssoLogin(user));
    };
    const offeredId = async (cookie: string) =>
      (await after.verify(cookie)).membership?.local_user_id ?? undefined;
    for (const [id, cookie] of arrivalCookies) {
      assert.equal(await login(id), '', 'single sign-on with an address that another user has');
      assert.ok(
        [id, undefined].includes(await offeredId(cookie)),
        'offered the account of another',
      );
    }
    await signUpUnsettled(users, after);
    assert.equal((await after.flush()).pending, 0);
    for (const [id, cookie] of arrivalCookies) {
      assert.equal(await offeredId(await login(id)), id);
      assert.ok(
        [id, undefined].includes(await offeredId(cookie)),
        'offered the account of another',
      );
    }
  });
}

/** Registers the users whose address the service has not accepted yet, as a platform does when its process starts. */
async function signUpUnsettled(users: DatabaseSync, svc: Svc): Promise<void> {
  const unsettled = users.prepare('SELECT * FROM users WHERE email IS NOT settled_email').all();
  for (const { id, email, since } of unsettled) {
    const user = { email: String(email), platform: 'books', local_user_id: String(id) };
    const requestedAt = since === null ? {} : { requested_at: String(since) };
    const answer = await svc.signup({ ...user, ...requestedAt });
    if (answer === null) continue;
    users
      .prepare('UPDATE users SET settled_email = ? WHERE id = ?')
      .run(user.email, user.local_user_id);
  }
}

function openClient(
  stack: AsyncDisposableStack,
  { address, keys }: Service,
  { platform = 'books', ...options }: Partial<SvcOptions> & { platform?: 'books' | 'cards' } = {},
): Svc {
  const svc = createSvc({
    membersUrl: address,
    apiKey: keys[platform],
    onWarning: ignore,
    ...options,
  });
  stack.defer(async () => void (await svc.close({ timeoutMs: 0 })));
  return svc;
}

function ignore(): void {}

/** The `Cookie` header of a browser after a login; empty without a shared session. */
function cookieOf(cookies: readonly string[]): string {
  return (
    cookies
      .map((cookie) => cookie.split(';')[0]!)
      .find((pair) => pair.startsWith('svc_sso=svcs_')) ?? ''
  );
}
