import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { examples, listen, openService } from './rig.ts';

/** How a members service can be away. */
const troubles = {
  /** Nothing listens. */
  dead: (socket: Socket) => void socket.resetAndDestroy(),
  /** Connections are taken and nothing is ever said. */
  hung: () => {},
  /** Whatever is asked, it fails. */
  failing: (socket: Socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}'),
    ),
  /** The connection ends in the middle of an answer. */
  reset: (socket: Socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"svc_uid":');
      setImmediate(() => socket.resetAndDestroy());
    }),
} as const satisfies Record<string, (socket: Socket) => unknown>;

const signUps = 40;
const numbers = Array.from({ length: signUps }, (_, index) => index);

for (const [name, trouble] of Object.entries(troubles)) {
  test(`T32: with the service ${name} no sign-up takes 3.1 s more than it does, and afterwards each member is there once`, async () => {
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
    // The first may still go out on connections that were just cut.
    await svc.flush();
    assert.deepEqual(await svc.flush(), { delivered: signUps, pending: 0 });
    assert.equal(await service.context.store.read.members.count(), 2 * signUps);
    const uids = numbers.map(
      (index) => accounts.logIn(`m-${signUps + index}@example.com`, 'secret')?.svcUid,
    );
    assert.equal(new Set(uids).size, signUps, 'the platform was told each uid');
    assert.ok(!uids.includes(null));
  });
}

/** Time as a timer of this process sees it: what a busy machine adds to any timer is no part of it. */
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

/** A way to the service that can be cut. */
async function openGate(stack: AsyncDisposableStack, servicePort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let trouble: Trouble = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (trouble !== null) {
      trouble(socket);
      return;
    }
    const through = connect(servicePort, '127.0.0.1');
    sockets.add(through);
    through.on('error', () => socket.destroy());
    socket.pipe(through).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    port: address.port,
    cut(next) {
      trouble = next;
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Trouble = ((socket: Socket) => unknown) | null;

interface Gate {
  readonly port: number;
  /** Ends every connection; new ones get into this trouble, or none. */
  cut(trouble: Trouble): void;
}
