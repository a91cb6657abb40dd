import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { silentLog } from '../log.ts';
import { openPolicy } from './response-policy.ts';
import { json } from './result.ts';
import { Router, type Operation } from './router.ts';
import { startServer, type RunningServer } from './server.ts';
import { createServerContext } from './server-context.ts';

/** Answers with the parts of the request. */
const echo: Operation = {
  handle: (context) => {
    const { method, path, query } = context;
    const [type, since] = ['content-type', 'if-modified-since'].map((name) => context.header(name));
    return json({ method, path, query, type, since }, { cookies: ['a=1', 'b=2'] });
  },
};

function start(operation: Operation = echo): Promise<RunningServer> {
  const router = new Router(createServerContext(silentLog), openPolicy);
  for (const path of ['/plain', '/of/{name}']) {
    router.add(path, operation);
    router.add(path, operation, { method: 'POST' });
  }
  return startServer({ router, host: '127.0.0.1', port: 0 });
}

test('a router finds plain paths, templates and percent-encoded letters', async () => {
  await using server = await start();
  for (const target of ['/plain?a=b%20c', '/plain', '/of/you?q', '/pl%61in', '/of/a%2Fb']) {
    const response = await fetch(server.address + target);
    assert.equal(response.status, 200, target);
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
  }
  for (const target of ['/of/', '/of/a/b', '/plain/', '/of']) {
    assert.equal((await fetch(server.address + target)).status, 404, target);
  }
  const head = await fetch(`${server.address}/plain`, { method: 'HEAD' });
  assert.equal(await head.text(), '');
});

test('a header that is sent twice is read with both values', async () => {
  await using server = await start();
  const twice = ['Content-Type', 'a/b', 'Content-Type', 'c/d'];
  const since = ['If-Modified-Since', 'e', 'If-Modified-Since', 'f'];
  const headers = ['Host', 'localhost', ...twice, ...since];
  const sent = request(`${server.address}/plain`, { headers }).end();
  // The event carries the response.
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  assert.match(await text(response), /"type":"a\/b, c\/d","since":"e, f"/);
});

test('a body that no handler reads does not delay the response', async () => {
  await using server = await start();
  const body = 'x'.repeat(1_000_000);
  for (let time = 0; time < 3; time++) {
    const response = await fetch(`${server.address}/plain`, { method: 'POST', body });
    assert.match(await response.text(), /"method":"POST"/);
  }
});

test('an unexpected error is a 500 that shows nothing of it', async () => {
  await using server = await start({ handle: () => Promise.reject(new Error('secret')) });
  const response = await fetch(`${server.address}/plain`);
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
});

test('a stream is sent whole, stops with its client, and closes the connection on failure', async () => {
  const stopped = Promise.withResolvers<void>();
  async function* piecesOf(query: string): AsyncGenerator<Buffer, void> {
    try {
      yield Buffer.from('a');
      if (query === 'failing') throw new Error('secret');
      const lengthMax = query === 'endless' ? Infinity : 0;
      for (let length = 0; length < lengthMax; length += 65_536) yield Buffer.alloc(65_536);
      yield Buffer.from('b');
    } finally {
      if (query === 'endless') stopped.resolve();
    }
  }
  await using server = await start({
    handle: ({ query }) => ({
      type: 'text/plain',
      headers: {},
      trailerNames: [],
      pieces: piecesOf(query),
      trailers: () => ({}),
    }),
  });
  assert.equal(await (await fetch(`${server.address}/plain?whole`)).text(), 'ab');
  const endless = await fetch(`${server.address}/plain?endless`);
  await endless.body!.cancel();
  await stopped.promise;
  await assert.rejects(async () => (await fetch(`${server.address}/plain?failing`)).text());
  assert.equal(await (await fetch(`${server.address}/plain?whole`)).text(), 'ab');
});

test('a pipelined request is answered only when the previous answer has been sent', async () => {
  const handledQueries: string[] = [];
  const large = 'x'.repeat(16 * 1024 * 1024);
  await using server = await start({
    handle: ({ query }) => {
      handledQueries.push(query);
      return json({ query, padding: query === 'a' ? large : '' });
    },
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  const postRequest = 'POST /plain?c HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
  socket.write(
    `GET /plain?a HTTP/1.1\r\nHost: a\r\n\r\nGET /plain?b HTTP/1.1\r\nHost: a\r\n\r\n${postRequest}`,
  );
  // When a later request on another connection is answered, the server has read the three requests.
  while (!handledQueries.includes('a')) await fetch(`${server.address}/plain?other`);
  await fetch(`${server.address}/plain?other`);
  assert.deepEqual(
    handledQueries.filter((query) => query !== 'other'),
    ['a'],
  );
  let received = '';
  for await (const part of socket) {
    received = (received + String(part)).slice(-2_000);
    if (received.includes('"query":"c"')) break;
  }
  assert.deepEqual(
    handledQueries.filter((query) => query !== 'other'),
    ['a', 'b', 'c'],
  );
  assert.ok(received.indexOf('"query":"b"') < received.indexOf('"query":"c"'));
});
