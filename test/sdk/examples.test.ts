import assert from 'node:assert/strict';
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

/** `svc_sso=…` of a response. */
function tokenOf(response: Response): string {
  const [cookie = ''] = response.headers.getSetCookie().filter((each) => /^svc_sso=/.test(each));
  return cookie.split(';')[0]!;
}
