import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startServer } from '../../src/kernel/http/server.ts';
import { ask, openFixture } from '../../src/members/http/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };

test('T6: the headers that servers’ own clients send do not make them browsers', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const clients = [
    { 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-language': '*' },
    { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    { 'user-agent': 'python-requests/2.32', connection: 'keep-alive' },
    { 'user-agent': 'GuzzleHttp/7' },
    { 'user-agent': 'axios/1.7', accept: 'application/json, text/plain, */*' },
    { 'user-agent': 'got (https://github.com/sindresorhus/got)', 'accept-encoding': 'gzip, br' },
  ];
  for (const client of clients) {
    const headers = { ...client, 'x-api-key': fixture.keys.books };
    const answer = await ask(fixture, 'POST', '/members/register', headers, asha);
    assert.ok(answer.status < 300, answer.text);
  }
});

/** Registers over the wire and answers the status; null where the machine has no such client. */
type Client = (url: string, key: string, body: string) => Promise<number | null>;

const clients: Readonly<Record<string, Client>> = {
  'fetch of Node': async (url, key, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  },
  'node:http': async (url, key, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const asked = request(url, { method: 'POST', headers });
    asked.end(body);
    // The event has the response alone.
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode ?? 0;
  },
  curl: async (url, key, body) =>
    statusFrom('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      `x-api-key: ${key}`,
      '-H',
      'content-type: application/json',
      '-d',
      body,
      url,
    ]),
  wget: async (url, key, body) =>
    statusFrom('wget', [
      '-q',
      '-S',
      '-O',
      '/dev/null',
      `--header=x-api-key: ${key}`,
      '--header=content-type: application/json',
      `--post-data=${body}`,
      url,
    ]),
  'urllib of Python': async (url, key, body) =>
    statusFrom('python3', ['-c', urllib, url, key, body]),
  'requests of Python': async (url, key, body) =>
    statusFrom('python3', ['-c', requests, url, key, body]),
};

const urllib = `import sys, urllib.request as r
url, key, body = sys.argv[1:]
print(r.urlopen(r.Request(url, body.encode(), {'x-api-key': key, 'content-type': 'application/json'})).status)`;
const requests = `import sys, requests
url, key, body = sys.argv[1:]
print(requests.post(url, data=body, headers={'x-api-key': key, 'content-type': 'application/json'}).status_code)`;

for (const [name, register] of Object.entries(clients)) {
  test(`T6: ${name} registers over the wire`, async (t) => {
    using folder = temporaryFolder();
    await using fixture = await openFixture(folder.path);
    const { app, front, keys } = fixture;
    await using server = await startServer({ app, front, host: '127.0.0.1', port: 0 });
    const url = `${server.address}/members/register`;
    const status = await register(url, keys.books, JSON.stringify(asha));
    if (status === null) return t.skip('This machine has no such client.');
    assert.equal(status, 201);
  });
}

/** The status a program prints; null where there is no such program, or it lacks its library. */
async function statusFrom(program: string, given: readonly string[]): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  execFile(program, given, (error, output, complaint) => {
    const isAbsent = error?.code === 'ENOENT' || complaint.includes('ModuleNotFoundError');
    const status = /\b(\d{3})\b/.exec(output || (/HTTP\/1\.1 (\d{3})/.exec(complaint)?.[1] ?? ''));
    resolve(isAbsent ? null : Number(status?.[1] ?? 0));
  });
  return promise;
}

test('T31: two logins that cross on a platform’s server keep their own cookies, and a cache before it keeps none', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { app, front, keys } = fixture;
  await using service = await startServer({ app, front, host: '127.0.0.1', port: 0 });
  const headers = { 'x-api-key': keys.books, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const users = ['asha', 'bora'].map((name) => ({
    ...asha,
    email: `${name}@example.com`,
    local_user_id: name,
  }));
  const uids: unknown[] = [];
  for (const user of users) {
    const answer = await post('/members/register', user);
    uids.push(((await answer.json()) as { svc_uid: string }).svc_uid);
  }
  // Neither login is answered before both sessions are issued.
  const both = Promise.withResolvers<void>();
  let issued = 0;
  const platform = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    void (async () => {
      const user = users.find(({ local_user_id: id }) => incoming.url === `/login/${id}`)!;
      const answer = await post('/auth/sso/issue', user);
      if (++issued === 2) both.resolve();
      await both.promise;
      const cacheControl = answer.headers.get('cache-control') ?? '';
      const relayed = {
        'set-cookie': answer.headers.getSetCookie(),
        'cache-control': cacheControl,
      };
      outgoing.writeHead(200, relayed).end(await answer.text());
    })();
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    platform.close();
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  const kept = new Map<string, Response>();
  const throughCache = async (path: string): Promise<Response> => {
    const answer = kept.get(path) ?? (await fetch(`http://127.0.0.1:${port}${path}`));
    // RFC 9111 section 3: a shared cache stores no answer that says no-store.
    if (!/no-store/.test(answer.headers.get('cache-control') ?? '')) kept.set(path, answer);
    return answer;
  };
  const answers = await Promise.all(
    users.map(({ local_user_id: id }) => throughCache(`/login/${id}`)),
  );
  assert.equal(kept.size, 0);
  for (const [at, answer] of answers.entries()) {
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0]!)
      .join('; ');
    await answer.arrayBuffer();
    const me = await fetch(`${service.address}/auth/me`, { headers: { cookie } });
    assert.equal(((await me.json()) as { svc_uid: string }).svc_uid, uids[at]);
    assert.equal(me.headers.get('cache-control'), 'no-store');
    assert.ok(cookie.includes(String(uids[at])));
  }
  const wrong = { ...users[0]!, local_user_id: 'bora' };
  const refused = await post('/auth/sso/issue', wrong);
  assert.equal(refused.status, 404);
  assert.deepEqual(refused.headers.getSetCookie(), []);
  await refused.arrayBuffer();
});

test('T29: two hundred connections that never finish their headers are ended and keep nobody waiting', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { app, front, keys } = fixture;
  await using server = await startServer({ app, front, host: '127.0.0.1', port: 0 });
  const slow = Array.from({ length: 200 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /members/register HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    socket.on('error', () => {});
    const ended = once(socket.resume(), 'close');
    const drip = setInterval(() => socket.write('x'), 500);
    return ended.finally(() => clearInterval(drip));
  });
  const headers = { 'x-api-key': keys.books, 'content-type': 'application/json' };
  const good = await fetch(`${server.address}/members/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(asha),
  });
  assert.equal(good.status, 201);
  await good.arrayBuffer();
  // The server ends them by its own bound; without one the test would not end.
  await Promise.all(slow);
});
