import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { UnderlyingSource } from 'node:stream/web';
import { test } from 'node:test';
import { Hono } from 'hono';
import { silentLog } from '../log.ts';
import { direct } from './direct.ts';
import type { Connection, RequestContext } from './request-context.ts';
import { createServerContext } from './server-context.ts';
import type { Reply } from './reply.ts';
import type { App } from './route.ts';
import { startServer, type RunningServer } from './server.ts';

/** What was asked, as the answer, with a header of two values. */
async function echo(request: RequestContext): Promise<Reply> {
  const { method, path, query } = request;
  const [type, since] = ['content-type', 'if-modified-since'].map((name) => request.header(name));
  const body = JSON.stringify({ method, path, query, type, since });
  return { status: 200, headers: { 'X-One': '1', 'Set-Cookie': ['a=1', 'b=2'] }, body };
}

function application(answer: (request: RequestContext) => Promise<Reply> = echo): App {
  const app: App = new Hono<{ Bindings: Connection }>();
  direct(app, '/plain', answer);
  direct(app, '/of/{name}', answer);
  return app;
}

function start(app: App): Promise<RunningServer> {
  return startServer({ app, front: createServerContext(silentLog), host: '127.0.0.1', port: 0 });
}

test('a server answers a path with the bytes that the application gives in the process', async () => {
  const app = application();
  await using server = await start(app);
  for (const target of ['/plain?a=b%20c', '/plain', '/of/you?q', '/pl%61in']) {
    const [served, asked] = [await fetch(server.address + target), await app.request(target)];
    assert.equal(await served.text(), await asked.text(), target);
    for (const answer of [served, asked]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-one'), '1');
      assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2']);
    }
  }
  const head = await fetch(`${server.address}/plain`, { method: 'HEAD' });
  assert.equal(await head.text(), '');
});

test('a header that is sent twice is seen as both', async () => {
  await using server = await start(application());
  for (const path of ['/plain', '/of/you']) {
    const twice = ['Content-Type', 'a/b', 'Content-Type', 'c/d'];
    const since = ['If-Modified-Since', 'e', 'If-Modified-Since', 'f'];
    const headers = ['Host', 'localhost', ...twice, ...since];
    const asked = request(server.address + path, { headers }).end();
    // The event hands over the answer.
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    assert.match(await text(answer), /"type":"a\/b, c\/d","since":"e, f"/, path);
  }
});

test('a body that nobody reads does not stand in the way of the answer', async () => {
  await using server = await start(application());
  const body = 'x'.repeat(1_000_000);
  for (let time = 0; time < 3; time++) {
    const answer = await fetch(`${server.address}/plain`, { method: 'POST', body });
    assert.match(await answer.text(), /"method":"POST"/);
  }
});

test('an answer that fails against the rule is a fault of ours that tells nothing', async () => {
  const app = application(() => Promise.reject(new Error('secret')));
  await using server = await start(app);
  const answer = await fetch(`${server.address}/plain`);
  assert.equal(answer.status, 500);
  assert.doesNotMatch(await answer.text(), /secret/);
});

test('a stream arrives whole, ends with a client that goes away, and breaks the connection when it fails', async () => {
  const cancelled = Promise.withResolvers<void>();
  const streams: Record<string, UnderlyingSource<Uint8Array>> = {
    whole: {
      start(controller) {
        for (const piece of ['a', 'b', 'c']) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    },
    endless: {
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
      cancel: () => cancelled.resolve(),
    },
    failing: {
      start: (controller) => controller.enqueue(Buffer.from('a')),
      pull: () => Promise.reject(new Error('secret')),
    },
  };
  const app = application(async ({ query }) => {
    return { status: 200, headers: {}, body: new ReadableStream(streams[query]) };
  });
  await using server = await start(app);
  assert.equal(await (await fetch(`${server.address}/plain?whole`)).text(), 'abc');
  const endless = await fetch(`${server.address}/plain?endless`);
  await endless.body!.cancel();
  await cancelled.promise;
  await assert.rejects(async () => (await fetch(`${server.address}/plain?failing`)).text());
  assert.equal(await (await fetch(`${server.address}/plain?whole`)).text(), 'abc');
});
