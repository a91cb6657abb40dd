import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { createServerContext } from '../kernel/http/server-context.ts';
import { startServer, type RunningServer } from '../kernel/http/server.ts';
import { createLog, silentLog } from '../kernel/log.ts';
import { serveUntilStopped } from '../kernel/run.ts';
import { limits } from '../kernel/http/limits.ts';
import { createLookupApp } from './app.ts';
import { StoreHolder } from './current-store.ts';
import { fixtureStore, fixtureToday } from '../../test/fixtures/lookup.ts';
import { createHealthRouter } from './health.ts';
import { SlicedWork, type IsAbandoned } from './store/sliced-work.ts';

async function serve(): Promise<RunningServer> {
  return startServer({ ...application(), host: '127.0.0.1', port: 0 });
}

function application(store = fixtureStore(), log = silentLog) {
  const holder = new StoreHolder();
  void holder.replace(store);
  const settings = { MARU_BASE_URL: null };
  const router = createLookupApp({
    holder,
    settings,
    server: createServerContext(log),
    today: () => fixtureToday,
  });
  return { router, holder };
}

/** Sends bytes as they are and reads until the server closes. */
async function raw(port: number, bytes: string | Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', reject);
  socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  return promise;
}

function request(line: string, ...headers: string[]): string {
  return [line, 'Host: maru', ...headers, 'Connection: close', '', ''].join('\r\n');
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

function assertProblem(answer: string, status: number): void {
  assert.equal(statusOf(answer), status, answer.slice(0, 300));
  assert.match(answer, /content-type: application\/problem\+json/i);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { status: number };
  assert.equal(body.status, status);
}

test('a raw Hangul URL is redirected to its percent-encoded form, which is 200', async () => {
  await using server = await serve();
  const answer = await raw(
    server.port,
    request('GET /api/data/search?q=강남역 주차&limit=1 HTTP/1.1'),
  );
  assert.equal(statusOf(answer), 308);
  const location = /^Location: (.*)\r$/m.exec(answer)![1]!;
  assert.equal(location, `/api/data/search?q=${encodeURIComponent('강남역 주차')}&limit=1`);
  assert.match(answer, /^Connection: close\r$/m);
  assert.ok(answer.endsWith(`${location}\n`), 'The body names the location.');
  const head = await raw(server.port, request('HEAD /병원 HTTP/1.1'));
  assert.ok(head.endsWith('\r\n\r\n'));
  const response = await fetch(server.address + location);
  assert.equal(response.status, 200);
});

test('raw EUC-KR bytes are redirected to a 400 that advises UTF-8', async () => {
  await using server = await serve();
  const bytes = Buffer.concat([
    Buffer.from('GET /api/data/search?q='),
    Buffer.from([0xba, 0xb4, 0xbf, 0xf8]),
    Buffer.from(' HTTP/1.1\r\nHost: maru\r\n\r\n'),
  ]);
  const answer = await raw(server.port, bytes);
  const location = /^Location: (.*)\r$/m.exec(answer)![1]!;
  const response = await fetch(server.address + location);
  assert.equal(response.status, 400);
  assert.match(await response.text(), /EUC-KR/);
});

test('a redirect never leaves the host', async () => {
  await using server = await serve();
  for (const target of [
    '//evil.kr/병원',
    '/\\evil.kr/병원',
    'http://evil.kr/병원',
    'evil.kr/병원',
  ]) {
    const answer = await raw(server.port, request(`GET ${target} HTTP/1.1`));
    assertProblem(answer, 400);
  }
  const answer = await raw(server.port, request('GET /a\\병원#x HTTP/1.1'));
  assert.match(answer, /^Location: \/a%5C%EB%B3%91%EC%9B%90%23x\r$/m);
});

test('a Hangul target is 400 for POST and for a request line that was cut off', async () => {
  await using server = await serve();
  assertProblem(await raw(server.port, request('POST /병원 HTTP/1.1')), 400);
  assertProblem(await raw(server.port, 'GET /병원'), 400);
});

test('a request that the HTTP parser refuses is answered with a problem', async () => {
  await using server = await serve();
  for (const line of [
    'GET /a\0b HTTP/1.1',
    'GET /a b HTTP/1.1',
    'NIX / HTTP/1.1',
    'GET / HTTP/9',
    'x',
  ]) {
    assertProblem(await raw(server.port, request(line)), 400);
  }
  const long = 'a'.repeat(limits.headerBytesMax + 1_000);
  assertProblem(await raw(server.port, request('GET / HTTP/1.1', `X-Long: ${long}`)), 431);
});

test('two hosts or an unusual transfer coding are 400, and the connection is closed', async () => {
  await using server = await serve();
  const twice = await raw(server.port, request('GET / HTTP/1.1', 'Host: other'));
  assertProblem(twice, 400);
  for (const coding of ['gzip, chunked', 'identity']) {
    const bytes = `GET /api/axes HTTP/1.1\r\nHost: maru\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`;
    const answer = await raw(server.port, bytes);
    assertProblem(answer, 400);
    assert.match(answer, /^Connection: close\r$/im);
  }
});

test('CONNECT is 405 and lists the allowed methods', async () => {
  await using server = await serve();
  const answer = await raw(
    server.port,
    'CONNECT maru.kr:443 HTTP/1.1\r\nHost: maru.kr:443\r\n\r\n',
  );
  assertProblem(answer, 405);
  assert.match(answer, /^Allow: GET, HEAD, OPTIONS\r$/m);
});

function longTarget(length: number): string {
  return '/api/axes?x='.padEnd(length, 'a');
}

test('a target of 8 KB is read, a longer one is 414', async () => {
  await using server = await serve();
  const fits = await raw(server.port, request(`GET ${longTarget(limits.urlBytesMax)} HTTP/1.1`));
  assert.equal(statusOf(fits), 200);
  const over = await raw(
    server.port,
    request(`GET ${longTarget(limits.urlBytesMax + 1)} HTTP/1.1`),
  );
  assertProblem(over, 414);
  assertProblem(await raw(server.port, request(`GET ${longTarget(16_384)} HTTP/1.1`)), 414);
});

test('a broken percent sign and a NUL in a parameter are 400', async () => {
  await using server = await serve();
  for (const q of ['%', '%4', '%zz', '%00', 'a%00b', '%ff']) {
    assertProblem(await raw(server.port, request(`GET /api/data/search?q=${q} HTTP/1.1`)), 400);
  }
});

test('absolute targets and HTTP/1.0 are served, two slashes are 404, bad hosts are 400', async () => {
  await using server = await serve();
  const absolute = await raw(server.port, request('GET http://maru/api/axes HTTP/1.1'));
  assert.equal(statusOf(absolute), 200);
  assertProblem(await raw(server.port, request('GET //evil.kr/api/axes HTTP/1.1')), 404);
  const old = await raw(server.port, 'GET /api/axes HTTP/1.0\r\n\r\n');
  assert.equal(statusOf(old), 200);
  assertProblem(await raw(server.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400);
  for (const host of ['a b', 'a/b', 'a@b', '[', '']) {
    const bytes = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    assertProblem(await raw(server.port, bytes), 400);
  }
  assertProblem(await raw(server.port, request('GET * HTTP/1.1')), 400);
  assert.equal(statusOf(await raw(server.port, request('OPTIONS * HTTP/1.1'))), 204);
});

function pipelined(id: string): string {
  return `GET /api/data/axis?axis=file_15012896 HTTP/1.1\r\nHost: maru\r\nX-Request-Id: ${id}\r\n\r\n`;
}

test('pipelined requests are answered in order, a broken one last', async () => {
  await using server = await serve();
  const broken = 'GET /병원 HTTP/1.1\r\nHost: maru\r\n\r\n';
  const answer = await raw(
    server.port,
    pipelined('one') + pipelined('two') + broken + pipelined('three'),
  );
  const order = [...answer.matchAll(/X-Request-Id: (one|two|three)|Location: (\/%EB)/g)].map(
    ([, id, location]) => id ?? location,
  );
  assert.deepEqual(order, ['one', 'two', '/%EB']);
});

function lengthOf(answer: string): string | undefined {
  return /content-length: (\d+)/i.exec(answer)?.[1];
}

test('HEAD has the headers of GET and no body, POST is 405', async () => {
  await using server = await serve();
  const target = '/api/data/axis?axis=file_15012896';
  const full = await raw(server.port, request(`GET ${target} HTTP/1.1`));
  const head = await raw(server.port, request(`HEAD ${target} HTTP/1.1`));
  assert.ok(head.endsWith('\r\n\r\n'));
  assert.equal(lengthOf(head), lengthOf(full));
  const posted = await raw(
    server.port,
    request(`POST ${target} HTTP/1.1`, 'Content-Length: 2') + '{}',
  );
  assertProblem(posted, 405);
  assert.match(posted, /^Allow: GET, HEAD, OPTIONS\r$/m);
});

test('every content coding decodes to the same bytes, and quality values decide between them', async () => {
  await using server = await serve();
  const target = `${server.address}/api/data/axis?axis=file_15012896`;
  const plain = await fetchFrom(target, { 'Accept-Encoding': 'identity' });
  const decoders = {
    gzip: promisify(gunzip),
    br: promisify(brotliDecompress),
    zstd: promisify(zstdDecompress),
  };
  for (const [coding, decode] of Object.entries(decoders)) {
    for (let round = 0; round < 2; round++) {
      const { body, message } = await fetchFrom(target, { 'Accept-Encoding': coding });
      assert.equal(message.headers['content-encoding'], coding);
      assert.deepEqual(await decode(body), plain.body);
      const again = await fetchFrom(target, {
        'Accept-Encoding': coding,
        'If-None-Match': message.headers.etag,
      });
      assert.equal(again.message.statusCode, 304);
      assert.equal(again.body.length, 0);
    }
  }
  const chosen = async (header: string) =>
    (await fetchFrom(target, { 'Accept-Encoding': header })).message.headers['content-encoding'];
  assert.equal(await chosen('gzip, br, zstd'), 'zstd');
  assert.equal(await chosen('gzip;q=1, br;q=0.5'), 'gzip');
  assert.equal(await chosen('zstd;q=0, *'), 'br');
  assert.equal(await chosen('gzip;q=0.1, identity'), undefined);
  const small = await fetchFrom(`${target}&limit=0&fields=0`, { 'Accept-Encoding': 'gzip' });
  assert.equal(small.message.headers['content-encoding'], undefined);
});

test('a selection carries its row count and digest in trailers', async () => {
  await using server = await serve();
  for (const format of ['csv', 'ndjson']) {
    const { body, message } = await fetchFrom(
      `${server.address}/api/export/file_15012896.${format}?sido=11`,
    );
    assert.equal(message.statusCode, 200);
    assert.equal(message.trailers['x-row-count'], '30');
    const digest = createHash('sha256').update(body).digest('base64');
    assert.equal(message.trailers['repr-digest'], `sha-256=:${digest}:`);
  }
  const { body } = await fetchFrom(`${server.address}/api/export/gen_restdeinfo.ndjson`);
  assert.equal(body.toString().split('\n').length, 7);
  for (const file of ['nix.csv', 'gen_restdeinfo.xls', '%ff.csv']) {
    const { message } = await fetchFrom(`${server.address}/api/export/${file}`);
    assert.ok(message.statusCode === 404 || message.statusCode === 400, file);
  }
});

test('metrics are 200 for this machine and 404 through a proxy', async () => {
  await using server = await serve();
  const own = await fetchFrom(`${server.address}/metrics`);
  assert.match(own.body.toString(), /^maru_rows 66$/m);
  for (const headers of [
    { 'X-Forwarded-For': '203.0.113.9' },
    { 'CF-Connecting-IP': '203.0.113.9' },
    { 'X-Forwarded-Host': 'maru.kr' },
    { Host: 'maru.kr' },
  ]) {
    const proxied = await fetchFrom(`${server.address}/metrics`, headers);
    assert.equal(proxied.message.statusCode, 404, JSON.stringify(headers));
  }
});

test('the operator’s listener serves probes and metrics, and 404 for the API', async () => {
  const { holder } = application();
  const router = createHealthRouter(createServerContext(silentLog), holder);
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  for (const path of ['/metrics', '/healthz', '/readyz']) {
    const answer = await fetchFrom(server.address + path, { Host: 'probe.internal' });
    assert.equal(answer.message.statusCode, 200, path);
  }
  assert.equal((await fetchFrom(`${server.address}/api/axes`)).message.statusCode, 404);
});

test('a port in use is refused with advice', async () => {
  await using server = await serve();
  const again = startServer({ ...application(), host: '127.0.0.1', port: server.port });
  await assert.rejects(again, /is taken by another program/);
});

test('stopping lets requests under way finish and then returns', async () => {
  const requested = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const store = fixtureStore();
  const page = store.page.bind(store);
  store.page = async (...query) => {
    requested.resolve();
    await gate.promise;
    return page(...query);
  };
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const done = serveUntilStopped({
    servers: [{ ...application(store), host: '127.0.0.1', port: 0 }],
    log: silentLog,
    signal: stop.signal,
    onStarted: ([server]) => listening.resolve(server!.address),
  });
  const address = await listening.promise;
  const answer = fetchFrom(`${address}/api/export/file_15012896.csv`);
  await requested.promise;
  stop.abort();
  gate.resolve();
  const { body, message } = await answer;
  assert.equal(message.headers['content-length'], String(body.length));
  await done;
  await assert.rejects(fetchFrom(`${address}/healthz`));
});

test('a client that disconnects during an export releases the store', async () => {
  const requested = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const store = fixtureStore();
  const page = store.page.bind(store);
  store.page = async (...query) => {
    requested.resolve();
    await gate.promise;
    return page(...query);
  };
  const { holder, ...served } = application(store);
  await using server = await startServer({ ...served, host: '127.0.0.1', port: 0 });
  const client = get(`${server.address}/api/export/file_15012896.csv`, { agent: false });
  client.on('error', () => {});
  await requested.promise;
  const closed = holder.replace(fixtureStore('20261122-0001'));
  client.destroy();
  gate.resolve();
  await closed;
  assert.equal(store.disposed, true);
});

test('a client that leaves during a later selection of an export is not logged as a failure', async () => {
  const requested = Promise.withResolvers<void>();
  const store = fixtureStore();
  store.select = async (_code, { offset }, isAbandoned?: IsAbandoned) => {
    if (offset === 0) return { rows: [0, 1], total: 70_000, unread: {} };
    requested.resolve();
    return new SlicedWork().run(endlessWork(), isAbandoned);
  };
  const lines: string[] = [];
  const log = createLog({ level: 'error', pretty: false, write: (text) => lines.push(text) });
  const { holder, ...served } = application(store, log);
  await using server = await startServer({ ...served, host: '127.0.0.1', port: 0 });
  const path = '/api/export/file_15012896.csv?with=region';
  const client = get(server.address + path, { agent: false });
  client.on('error', () => {});
  await requested.promise;
  const closed = holder.replace(fixtureStore('20261122-0001'));
  client.destroy();
  await closed;
  log.flush();
  assert.deepEqual(lines, []);
});

test('a search whose client has gone is dropped, releases the store and logs no failure', async () => {
  const requested = Promise.withResolvers<void>();
  const store = fixtureStore();
  store.search = async (_query, isAbandoned) => {
    requested.resolve();
    return new SlicedWork().run(endlessWork(), isAbandoned);
  };
  const lines: string[] = [];
  const log = createLog({ level: 'error', pretty: false, write: (text) => lines.push(text) });
  const { holder, ...served } = application(store, log);
  await using server = await startServer({ ...served, host: '127.0.0.1', port: 0 });
  const client = get(`${server.address}/api/data/search?q=a`, { agent: false });
  client.on('error', () => {});
  await requested.promise;
  const closed = holder.replace(fixtureStore('20261122-0001'));
  client.destroy();
  await closed;
  assert.equal(store.disposed, true);
  log.flush();
  assert.deepEqual(lines, []);
});

function* endlessWork(): Generator<void, never> {
  for (;;) yield;
}

async function fetchFrom(
  url: string,
  headers: Record<string, string | undefined> = {},
): Promise<{ message: IncomingMessage; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers, agent: false }, resolve).on('error', reject);
  const message = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return { message, body: Buffer.concat(chunks) };
}

test('a repeated conditional request is 304 until the data changes', async () => {
  const holder = new StoreHolder();
  await holder.replace(fixtureStore('20261121-0001'));
  const router = createLookupApp({
    holder,
    server: createServerContext(silentLog),
    settings: { MARU_BASE_URL: null },
  });
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  const url = `${server.address}/api/data/axis?axis=file_15012896&limit=3`;
  const etag = (await fetch(url)).headers.get('etag')!;
  const fetchAgain = (headers: Record<string, string> = {}) =>
    fetch(url, { headers: { 'If-None-Match': etag, ...headers } });
  const [first, again] = [await fetchAgain(), await fetchAgain()];
  assert.deepEqual([first.status, again.status], [304, 304]);
  const changing = new Set(['x-request-id', 'server-timing', 'date']);
  const stable = (response: Response) =>
    [...response.headers]
      .filter(([name]) => !changing.has(name))
      .map((pair) => pair.join(': '))
      .toSorted();
  assert.deepEqual(stable(again), stable(first));
  assert.equal((await fetchAgain({ Accept: 'text/csv' })).status, 200);
  await holder.replace(fixtureStore('20261121-0002'));
  assert.equal((await fetchAgain()).status, 200);
});
