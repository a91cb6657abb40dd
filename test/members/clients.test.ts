import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startServer } from '../../src/kernel/http/server.ts';
import { limits } from '../../src/kernel/http/limits.ts';
import { openFixture, sendRequest } from '../fixtures/members.ts';
import { isLongForm } from '../long-form.ts';
import { assertInstalled, type NeededProgram } from '../needed-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };

test('T6: headers of common server clients do not mark them as browsers', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  // Headers as each client sends them, for machines without the client.
  const clients: Record<string, string>[] = [
    // Node 20, 22 and 24, and undici by itself.
    { 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-language': '*', accept: '*/*' },
    { 'sec-fetch-mode': 'cors', 'user-agent': 'undici', 'accept-language': '*', accept: '*/*' },
    { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    { 'user-agent': 'python-requests/2.32.3', accept: '*/*', connection: 'keep-alive' },
    { 'user-agent': 'python-httpx/0.28.1', accept: '*/*', connection: 'keep-alive' },
    { 'user-agent': 'GuzzleHttp/7' },
    { 'user-agent': 'axios/1.7.9', accept: 'application/json, text/plain, */*' },
    { 'user-agent': 'got (https://github.com/sindresorhus/got)', accept: 'application/json' },
    { 'user-agent': 'node-fetch', accept: '*/*', connection: 'close' },
    { 'user-agent': 'Java-http-client/21.0.2', 'http2-settings': 'AAEAAEAA' },
    { 'user-agent': 'okhttp/4.12.0' },
    { 'user-agent': 'Go-http-client/1.1' },
    { 'user-agent': 'Apache-HttpClient/5.3 (Java/21)' },
    {},
  ];
  for (const client of clients) {
    const headers = { ...client, 'x-api-key': fixture.keys.books };
    const answer = await sendRequest(fixture, 'POST', '/members/register', headers, asha);
    assert.ok(answer.status < 300, answer.text);
  }
});

/** Registers over the wire and returns the status. */
type Client = (url: string, key: string, body: string) => Promise<number>;

const clients: Readonly<Record<string, Client>> = {
  'fetch of Node': async (url, key, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  },
  'node:http': async (url, key, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers });
    sent.end(body);
    // The event has only the response.
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
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
    statusFrom('python3', ['-c', requests, url, key, body], 'requests'),
  'httpx of Python': async (url, key, body) =>
    statusFrom(
      'python3',
      ['-c', requests.replaceAll('requests', 'httpx'), url, key, body],
      'httpx',
    ),
  'cURL of PHP': async (url, key, body) => statusFrom('php', ['-r', php, url, key, body]),
  'streams of PHP': async (url, key, body) => statusFrom('php', ['-r', streams, url, key, body]),
};

/** Clients of Node; the others are programs that npm does not install, and belong to the long form. */
const clientsHere = ['fetch of Node', 'node:http'];

const urllib = `import sys, urllib.request as r
url, key, body = sys.argv[1:]
print(r.urlopen(r.Request(url, body.encode(), {'x-api-key': key, 'content-type': 'application/json'})).status)`;
const requests = `import sys, requests
url, key, body = sys.argv[1:]
print(requests.post(url, data=body, headers={'x-api-key': key, 'content-type': 'application/json'}).status_code)`;

const php = `[, $url, $key, $body] = $argv; $call = curl_init($url);
curl_setopt_array($call, [CURLOPT_RETURNTRANSFER => true, CURLOPT_POSTFIELDS => $body,
  CURLOPT_HTTPHEADER => ["x-api-key: $key", "content-type: application/json"]]);
curl_exec($call); echo curl_getinfo($call, CURLINFO_RESPONSE_CODE);`;

const streams = `[, $url, $key, $body] = $argv;
$stream = fopen($url, 'r', false, stream_context_create(['http' => ['method' => 'POST', 'content' => $body,
  'header' => "x-api-key: $key\\r\\ncontent-type: application/json"]]));
echo substr(stream_get_meta_data($stream)['wrapper_data'][0], 9, 3);`;

for (const [name, register] of Object.entries(clients)) {
  if (!isLongForm && !clientsHere.includes(name)) continue;
  test(`T6: ${name} registers over the wire`, async () => {
    using folder = temporaryFolder();
    await using fixture = await openFixture(folder.path);
    const { router, keys } = fixture;
    await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
    const url = `${server.address}/members/register`;
    const status = await register(url, keys.books, JSON.stringify(asha));
    assert.equal(status, 201);
  });
}

/** Status that a program prints. */
async function statusFrom(
  program: NeededProgram,
  words: readonly string[],
  library: NeededProgram = program,
): Promise<number> {
  assertInstalled(program, library);
  const { promise, resolve } = Promise.withResolvers<number>();
  execFile(program, words, (_, output, errors) => {
    const status = /\b(\d{3})\b/.exec(output || (/HTTP\/1\.1 (\d{3})/.exec(errors)?.[1] ?? ''));
    resolve(Number(status?.[1] ?? 0));
  });
  return promise;
}

test('T31: concurrent logins keep their own cookies, and a shared cache stores none', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { router, keys } = fixture;
  await using service = await startServer({ router, host: '127.0.0.1', port: 0 });
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
  // Both sessions are issued before either login is answered.
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
  const cache = new Map<string, Response>();
  const throughCache = async (path: string): Promise<Response> => {
    const answer = cache.get(path) ?? (await fetch(`http://127.0.0.1:${port}${path}`));
    // RFC 9111 section 3: a shared cache stores no answer with no-store.
    if (!/no-store/.test(answer.headers.get('cache-control') ?? '')) cache.set(path, answer);
    return answer;
  };
  const answers = await Promise.all(
    users.map(({ local_user_id: id }) => throughCache(`/login/${id}`)),
  );
  assert.equal(cache.size, 0);
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

/** The time limits of the service, a hundred times shorter. */
const shortTimes = {
  headersTimeoutMs: limits.headersTimeoutMs / 100,
  requestTimeoutMs: limits.requestTimeoutMs / 100,
  connectionsCheckMs: limits.connectionsCheckMs / 100,
};

const slowStarts = {
  headers: 'POST /members/register HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'a body': 'POST /members/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n',
};

for (const [name, start] of Object.entries(slowStarts)) {
  test(`T29: 200 connections that never finish ${name} are ended and delay no other request`, async () => {
    using folder = temporaryFolder();
    await using fixture = await openFixture(folder.path);
    const { router, keys } = fixture;
    const place = { router, host: '127.0.0.1', port: 0, times: shortTimes };
    await using server = await startServer(place);
    const key = `x-api-key: ${keys.books}\r\nContent-Type: application/json\r\n\r\n{`;
    const hung = Array.from({ length: 200 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      let received = '';
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      socket.on('error', () => {});
      socket.write(name === 'headers' ? start : start + key);
      const drip = setInterval(() => socket.write('x'), 20);
      // The server ends them by its own bound, without which the test would not end.
      await once(socket, 'close');
      clearInterval(drip);
      return received;
    });
    const headers = { 'x-api-key': keys.books, 'content-type': 'application/json' };
    const body = JSON.stringify(asha);
    const sent = { method: 'POST', headers, body };
    const good = await fetch(`${server.address}/members/register`, sent);
    assert.equal(good.status, 201);
    await good.arrayBuffer();
    // Some are reset before they can read the response.
    const answers = (await Promise.all(hung)).filter((answer) => answer !== '');
    assert.ok(answers.length > 0);
    for (const answer of answers)
      assert.match(answer, /^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
    assert.equal(await fixture.context.store.read.members.count(), 1);
  });
}
