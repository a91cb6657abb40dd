import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongForm } from '../long-form.ts';
import { openGate, troubles } from './gate.ts';
import { examples, listen, openService } from './rig.ts';

const signUps = isLongForm ? 40 : 20;
const numbers = Array.from({ length: signUps }, (_, index) => index);

for (const [name, trouble] of Object.entries(troubles)) {
  test(`T32: with the service ${name} sign-ups wait at most 3.1 s, and each member exists once`, async () => {
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const gate = await openGate(stack, service.port);
    const { listener, svc, accounts } = examples.express({
      membersUrl: `http://127.0.0.1:${gate.port}`,
      apiKey: service.keys.books,
      platform: 'books',
      scriptUrl: '/sdk.js',
      onWarning: () => {},
    });
    stack.defer(async () => void (await svc.close({ timeoutMs: 0 })));
    const { port } = await listen(stack, listener);
    const signUp = async (index: number): Promise<number> => {
      const clock = new LoadedClock();
      const response = await fetch(`http://127.0.0.1:${port}/signup`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ email: `m-${index}@example.com`, password: 'secret' }),
      });
      assert.equal(response.status, 303);
      return clock.elapsedMs();
    };

    const usual = Math.max(...(await Promise.all(numbers.map((index) => signUp(index)))));
    gate.cut(trouble);
    const times = await Promise.all(numbers.map((index) => signUp(signUps + index)));
    const added = Math.max(...times) - usual;
    assert.ok(added <= 3_100, `${added} ms`);
    assert.equal(await service.context.store.read.members.count(), signUps);

    gate.cut(null);
    // The first flush may use connections that were just cut.
    await svc.flush();
    assert.deepEqual(await svc.flush(), { delivered: signUps, pending: 0 });
    assert.equal(await service.context.store.read.members.count(), 2 * signUps);
    const uids = numbers.map(
      (index) => accounts.logIn(`m-${signUps + index}@example.com`, 'secret')?.svcUid,
    );
    assert.equal(new Set(uids).size, signUps, 'the platform received each uid');
    assert.ok(!uids.includes(null));
  });
}

/** Time as a timer of this process measures it, without the delays of a busy machine. */
class LoadedClock {
  readonly #startedAt = performance.now();
  #lateMs = 0;

  constructor() {
    setTimeout(() => {
      this.#lateMs = performance.now() - this.#startedAt - 3_000;
    }, 3_000).unref();
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt - this.#lateMs;
  }
}
