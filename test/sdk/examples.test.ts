import assert from 'node:assert/strict';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { openGate, troubles } from './gate.ts';
import { Browser, person, walkPlatform } from './platform-walk.ts';
import { examples, listen, openService } from './rig.ts';

for (const name of Object.keys(examples) as (keyof typeof examples)[]) {
  test(`the example with ${name} signs up, relays both cookies, logs in and out`, async () => {
    await using stack = new AsyncDisposableStack();
    const { service, origin, svc, accounts } = await openExample(stack, name);
    const { svcUid, token } = await walkPlatform(origin);
    assert.equal(accounts.logIn(person.email, person.password)?.svcUid, svcUid);
    assert.equal(
      (await svc.verify(token)).active,
      false,
      'its first session ended with the logout',
    );
    assert.equal(await service.context.store.read.members.count(), 1);
  });

  test(`the example with ${name} shows a logout that failed, and leaves the cookies`, async () => {
    await using stack = new AsyncDisposableStack();
    const { origin, svc, gate } = await openExample(stack, name);
    const browser = new Browser(origin);
    const token = tokenOf(await browser.post('/signup', person));
    gate.cut(troubles.dead);
    const failed = await browser.post('/logout', {});
    assert.equal(failed.status, 503);
    assert.match(await failed.text(), /Try again/);
    assert.deepEqual(failed.headers.getSetCookie(), []);
    assert.doesNotMatch(await browser.get('/'), /id="account"/, 'its own session ended');
    gate.cut(null);
    assert.equal((await svc.verify(token)).active, true, 'the shared session is live');
    assert.equal((await browser.post('/logout', {})).status, 303);
    assert.equal((await svc.verify(token)).active, false);
  });

  test(`the example with ${name} takes a form without an origin from its own page alone`, async () => {
    await using stack = new AsyncDisposableStack();
    const { origin, svc } = await openExample(stack, name);
    const token = tokenOf(await new Browser(origin).post('/signup', person));
    const form = { cookie: token, host: 'books.example.com', origin: 'null' };
    for (const site of ['same-site', 'cross-site', 'none']) {
      assert.equal(await logOut(origin, { ...form, 'sec-fetch-site': site }), 503, site);
    }
    assert.equal(await logOut(origin, form), 503);
    assert.equal((await svc.verify(token)).active, true);
    assert.equal(await logOut(origin, { ...form, 'sec-fetch-site': 'same-origin' }), 303);
    assert.equal((await svc.verify(token)).active, false);
  });
}

async function openExample(stack: AsyncDisposableStack, name: keyof typeof examples) {
  const service = await openService(stack);
  const gate = await openGate(stack, service.port);
  const { listener, svc, accounts } = examples[name]({
    membersUrl: `http://127.0.0.1:${gate.port}`,
    apiKey: service.keys.books,
    platform: 'books',
    scriptUrl: `${service.address}/sdk.js`,
    onWarning: (text) => assert.fail(text),
  });
  stack.defer(async () => void (await svc.close()));
  const { port } = await listen(stack, listener);
  return { service, gate, svc, accounts, origin: `http://127.0.0.1:${port}` };
}

/** Sends the logout form with headers that `fetch` may not set; returns the status. */
async function logOut(origin: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const sent = request(`${origin}/logout`, { method: 'POST', headers }).end();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.on('response', resolve).on('error', reject);
  const response = await promise;
  response.resume();
  return response.statusCode;
}

/** `svc_sso=…` of a response. */
function tokenOf(response: Response): string {
  const [cookie = ''] = response.headers
    .getSetCookie()
    .filter((each) => each.startsWith('svc_sso='));
  return cookie.split(';')[0]!;
}
