import assert from 'node:assert/strict';
import { test } from 'node:test';
import { person, walkPlatform } from './platform-walk.ts';
import { examples, listen, openService } from './rig.ts';

for (const [name, create] of Object.entries(examples)) {
  test(`the example with ${name} signs up, relays both cookies, logs in and out`, async () => {
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const { listener, svc, accounts } = create({
      membersUrl: service.address,
      apiKey: service.keys.books,
      platform: 'books',
      scriptUrl: `${service.address}/sdk.js`,
      onWarning: (text) => assert.fail(text),
    });
    stack.defer(async () => void (await svc.close()));
    const { port } = await listen(stack, listener);
    const { svcUid, token } = await walkPlatform(`http://127.0.0.1:${port}`);
    assert.equal(accounts.logIn(person.email, person.password)?.svcUid, svcUid);
    assert.equal(
      (await svc.verify(token)).active,
      false,
      'its first session ended with the logout',
    );
    assert.equal(await service.context.store.read.members.count(), 1);
  });
}
