import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createLog } from '../../kernel/log.ts';
import { createPortalClient, type PortalClient, type PortalClientOptions } from './client.ts';
import { hourMs } from './korean-time.ts';
import { PortalError } from './portal-error.ts';
import { createMemoryQuota, type QuotaStore } from './quota.ts';
import type { PortalRequest } from './request.ts';

/** 2026-11-21 12:30 in Korea. */
const noon = Date.parse('2026-11-21T03:30:00Z');
const plainKey = 'aB+/cd0123456789efGH/ij+kl==';
const encodedKey = encodeURIComponent(plainKey);

const stops: PortalRequest = {
  path: 'apis.data.go.kr/1613000/BusSttnInfoInqireService/getSttnNoList',
  service: 'apis.data.go.kr/1613000/BusSttnInfoInqireService',
  key: { in: 'query', name: 'serviceKey' },
  parameters: { _type: 'json', cityCode: '25', nodeNm: '시청 앞' },
  dailyQuota: 1000,
  portalId: '15098534',
};

const good = JSON.stringify({
  response: {
    header: { resultCode: '00' },
    body: { items: { item: [{ a: '1' }] }, totalCount: 1 },
  },
});

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

interface Portal {
  readonly client: PortalClient;
  /** Targets as they arrived. */
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Waits between attempts, in milliseconds. */
  readonly waits: number[];
  readonly log: () => string;
  readonly gateway: string;
  /** Moves the client's clock. */
  readonly pass: (ms: number) => void;
  replies: Reply[];
}

/** A real server on loopback; its replies come in order, the last one again and again. */
async function portal(
  t: TestContext,
  replies: Reply[],
  options: Partial<PortalClientOptions> = {},
): Promise<Portal> {
  const waits: number[] = [];
  let now = noon;
  let lines = '';
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const state = { replies: [...replies] };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    headers.push(request.headers);
    const reply = state.replies.length > 1 ? state.replies.shift() : state.replies[0];
    reply?.(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address with one.
  const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = createLog({ level: 'debug', pretty: false, write: (text) => void (lines += text) });
  const client = createPortalClient({
    serviceKey: plainKey,
    gateway,
    quota: createMemoryQuota(),
    log,
    random: () => 0.5,
    clock: {
      now: () => now,
      wait: (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      },
    },
    limits: { callsPerSecond: 1_000_000 },
    ...options,
  });
  return {
    client,
    asked,
    headers,
    waits,
    log: () => {
      log.flush();
      return lines;
    },
    gateway,
    pass: (ms) => void (now += ms),
    get replies() {
      return state.replies;
    },
    set replies(next) {
      state.replies = [...next];
    },
  };
}

function body(text: string | Uint8Array, status = 200, head: Record<string, string> = {}): Reply {
  return (response) => void response.writeHead(status, head).end(text);
}

async function failure(call: Promise<unknown>): Promise<PortalError> {
  const error: unknown = await call.then(
    () => assert.fail('the call was answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PortalError, inspect(error));
  return error;
}

test('a call goes through the gateway by host and path, the key encoded once, the rest as UTF-8', async (t) => {
  const { client, asked, headers } = await portal(t, [body(good)]);
  const answer = await client.call(stops);
  assert.deepEqual(answer.rows, [{ a: '1' }]);
  assert.deepEqual(asked, [
    `/${stops.path}?serviceKey=${encodedKey}&_type=json&cityCode=25&nodeNm=%EC%8B%9C%EC%B2%AD%20%EC%95%9E`,
  ]);
  assert.match(headers[0]!['user-agent'] ?? '', /^Maru\//);
});

test('both spellings of the key and a hexadecimal one arrive the same', async (t) => {
  const hex = '0123456789abcdef'.repeat(4);
  for (const [serviceKey, sent] of [
    [plainKey, encodedKey],
    [`  ${encodedKey}\n`, encodedKey],
    [hex, hex],
  ] as const) {
    const { client, asked } = await portal(t, [body(good)], { serviceKey });
    await client.call(stops);
    assert.ok(asked[0]!.includes(`?serviceKey=${sent}&`));
  }
});

test('the file API gets the key in a header, and an operation without a key needs none', async (t) => {
  const answer = body('{"currentCount":0,"data":[],"totalCount":0}');
  const first = await portal(t, [answer]);
  const rows = { ...stops, path: 'api.odcloud.kr/api/15077093/v1/dataset', parameters: {} };
  await first.client.call({ ...rows, key: { in: 'header' } });
  assert.equal(first.headers[0]!.authorization, `Infuser ${plainKey}`);
  assert.deepEqual(first.asked, ['/api.odcloud.kr/api/15077093/v1/dataset']);

  const keyless = await portal(t, [answer], { serviceKey: null });
  await keyless.client.call({ ...rows, key: null });
  const error = await failure(keyless.client.call(rows));
  assert.equal(error.code, 'no_key');
  assert.equal(keyless.asked.length, 1);
});

test('packed bodies are unpacked', async (t) => {
  const { client } = await portal(t, [body(gzipSync(good), 200, { 'content-encoding': 'gzip' })]);
  assert.equal((await client.call(stops)).rows.length, 1);
});

test('faults that pass are asked again, each wait anywhere below a bound that doubles', async (t) => {
  const cut: Reply = (response) => {
    response.writeHead(200, { 'content-length': '9999' }).write(good.slice(0, 20));
    response.destroy();
  };
  const faults = [
    body('Error forwarding request to backend server', 502),
    body('<html><body>점검</body></html>'),
    body(good.slice(0, 60)),
    cut,
    body('{"header":{"resultCode":"99","resultMsg":"UNKNOWN_ERROR."}}'),
    body(good),
  ];
  const { client, asked, waits, log } = await portal(t, faults);
  assert.equal((await client.call(stops)).rows.length, 1);
  assert.equal(asked.length, 6);
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000]);
  assert.equal(log().split('portal.retry').length - 1, 5);
});

test('attempts end at their bound, and the error says when to ask again', async (t) => {
  const { client, asked, waits } = await portal(t, [body('busy', 503)]);
  const error = await failure(client.call(stops));
  assert.deepEqual(
    [error.class, error.code, error.status, error.attempts, asked.length],
    ['retry', 'http_503', 503, 6, 6],
  );
  assert.equal(waits.length, 5);
  assert.ok(error.retryAt !== null && error.retryAt > noon);
  assert.match(error.message, /getSttnNoList: busy \(http_503\)\. It passes by itself/);
});

test('Retry-After is waited for, as seconds or as a date; a long one is told instead', async (t) => {
  const date = new Date(noon + 9_000).toUTCString();
  const short = await portal(t, [
    body('API rate limit exceeded', 429, { 'retry-after': '7' }),
    body(good),
  ]);
  await short.client.call(stops);
  assert.deepEqual(short.waits, [7_000]);

  const dated = await portal(t, [body('busy', 503, { 'retry-after': date }), body(good)]);
  await dated.client.call(stops);
  assert.deepEqual(dated.waits, [9_000]);

  const long = await portal(t, [body('busy', 503, { 'retry-after': '121' })]);
  const error = await failure(long.client.call(stops));
  assert.equal(error.retryAt, noon + 121_000);
  assert.deepEqual([long.asked.length, long.waits.length], [1, 0]);
});

test('what a person or another question must mend is asked once, with what to do next', async (t) => {
  const gateway = (code: string, name: string) =>
    body(
      `<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>${name}</returnAuthMsg><returnReasonCode>${code}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>`,
      403,
    );
  const cases: [Reply, string, RegExp][] = [
    [gateway('30', 'SERVICE_KEY_IS_NOT_REGISTERED_ERROR'), 'service 30', /Check MARU_SERVICE_KEY/],
    [gateway('31', 'DEADLINE_HAS_EXPIRED_ERROR'), 'service 31', /extend it .*15098534/],
    [gateway('12', 'NO_OPENAPI_SERVICE_ERROR'), 'request 12', /retired or moved/],
    [body('Forbidden', 403), 'service forbidden', /Apply for the dataset/],
    [body('API not found', 404), 'request api_not_found', /successor/],
  ];
  for (const [reply, fault, advice] of cases) {
    const { client, asked } = await portal(t, [reply]);
    const error = await failure(client.call(stops));
    assert.equal(`${error.class} ${error.code}`, fault);
    assert.match(error.advice, advice);
    assert.equal(error.retryAt, null);
    assert.equal(asked.length, 1);
  }
});

test('a spent quota waits for midnight in Korea, and is not asked again that day', async (t) => {
  const { client, asked, pass, ...rest } = await portal(t, [body('API token quota exceeded', 429)]);
  for (let time = 0; time < 2; time++) {
    const error = await failure(client.call(stops));
    assert.equal(error.class, 'quota');
    assert.equal(error.retryAt, Date.parse('2026-11-22T00:00:00+09:00'));
  }
  assert.equal(asked.length, 1);
  pass(12 * hourMs);
  assert.equal((await failure(client.call(stops))).class, 'quota');
  assert.equal(asked.length, 2);
  assert.equal(rest.waits.length, 0);
});

test('calls are counted by operation up to the quota, retries among them, and no further', async (t) => {
  const quota: QuotaStore = createMemoryQuota();
  const { client, asked } = await portal(t, [body('busy', 503), body(good)], { quota });
  const request = { ...stops, dailyQuota: 3 };
  await client.call(request);
  await client.call(request);
  const error = await failure(client.call(request));
  assert.deepEqual([error.code, error.attempts, asked.length], ['quota_spent', 1, 3]);
  assert.equal(await quota.used(stops.path, '2026-11-21'), 3);
  await client.call({ ...request, path: `${stops.service}/getCtyCodeList` });
  assert.equal(asked.length, 4);
});

test('a service that keeps failing is left alone, then tried with one call', async (t) => {
  const upstream = await portal(t, [body('busy', 503)], {
    limits: { callsPerSecond: 1e6, circuitFailuresMax: 8, circuitOpenMs: 60_000 },
  });
  const { client, asked, pass } = upstream;
  await failure(client.call(stops));
  const opened = await failure(client.call(stops));
  assert.equal(asked.length, 8);
  assert.equal(opened.code, 'http_503');

  const refused = await failure(client.call(stops));
  assert.equal(refused.code, 'circuit_open');
  assert.equal(refused.retryAt, opened.retryAt);
  assert.equal(asked.length, 8);
  const other = { ...stops, path: 'apis.data.go.kr/other/get', service: 'apis.data.go.kr/other' };
  await failure(client.call(other));
  assert.equal(asked.length, 8 + 6);

  pass(60_000);
  assert.equal((await failure(client.call(stops))).code, 'http_503');
  assert.equal(asked.length, 8 + 6 + 1);
  pass(60_000);
  assert.equal((await failure(client.call(stops))).code, 'circuit_open');
  pass(60_000);
  upstream.replies = [body(good)];
  await client.call(stops);
  await client.call(stops);
});

test('calls are let through at their rate', async (t) => {
  const { client, waits } = await portal(t, [body(good)], { limits: { callsPerSecond: 4 } });
  for (let time = 0; time < 6; time++) await client.call(stops);
  assert.deepEqual(waits, [250, 250]);
});

test('redirects are followed on the same host, in https, a few times', async (t) => {
  const to = (location: string) => body('', 301, { location });
  const secure = await portal(t, [to(`http://${stops.path}?moved=1`), to('/two?x=1'), body(good)]);
  await secure.client.call(stops);
  assert.deepEqual(secure.asked.slice(1), [`/${stops.path}?moved=1`, '/apis.data.go.kr/two?x=1']);

  for (const location of [
    'https://evil.test/x',
    '//evil.test/x',
    'https://apis.data.go.kr.evil.test/',
    'https://user:word@apis.data.go.kr/x',
    'http://[',
  ]) {
    const { client, asked } = await portal(t, [to(location), body(good)]);
    const error = await failure(client.call(stops));
    assert.deepEqual([error.code, asked.length], ['redirect_elsewhere', 1], location);
  }

  const endless = await portal(t, [to('?again')], { limits: { attemptsMax: 1 } });
  assert.equal((await failure(endless.client.call(stops))).code, 'redirects');
  assert.equal(endless.asked.length, 4);
});

test('a body at the bound is read, one byte more is refused, packed or not', async (t) => {
  const limits = { bodyBytesMax: Buffer.byteLength(good) };
  const exact = await portal(t, [body(good)], { limits });
  await exact.client.call(stops);
  for (const reply of [
    body(`${good} `),
    body(gzipSync(`${good}${' '.repeat(1_000_000)}`), 200, { 'content-encoding': 'gzip' }),
  ]) {
    const { client } = await portal(t, [reply], { limits });
    const error = await failure(client.call(stops));
    assert.deepEqual([error.class, error.code], ['request', 'body_too_large']);
  }
});

function unending(response: ServerResponse): void {
  response.writeHead(200).write('{');
}

test('an answer that does not begin, or does not end, is given up', async (t) => {
  const silent = await portal(t, [() => {}], { limits: { answerTimeoutMs: 20, attemptsMax: 1 } });
  assert.equal((await failure(silent.client.call(stops))).code, 'timeout');
  const endless = await portal(t, [unending], { limits: { overallTimeoutMs: 40, attemptsMax: 1 } });
  assert.equal((await failure(endless.client.call(stops))).code, 'timeout');
});

test('a host that refuses the connection is a fault that passes', async (t) => {
  const { client } = await portal(t, [body(good)], {
    gateway: 'http://127.0.0.1:1',
    limits: { attemptsMax: 2 },
  });
  const error = await failure(client.call(stops));
  assert.deepEqual([error.class, error.code, error.status], ['retry', 'network', null]);
});

test('the caller’s signal ends a call before it, within it and between attempts', async (t) => {
  const stopped = new AbortController();
  stopped.abort(new Error('enough'));
  const idle = await portal(t, [body(good)]);
  await assert.rejects(idle.client.call(stops, { signal: stopped.signal }), /enough/);
  assert.equal(idle.asked.length, 0);

  const within = new AbortController();
  const hanging = await portal(t, [() => within.abort(new Error('enough'))]);
  await assert.rejects(hanging.client.call(stops, { signal: within.signal }), /enough/);

  const between = new AbortController();
  const busy = await portal(t, [
    (response) => {
      response.writeHead(503).end('busy', () => between.abort(new Error('enough')));
    },
  ]);
  await assert.rejects(busy.client.call(stops, { signal: between.signal }), /enough/);
});

test('the key is in no error, log line, address or kept body, in no spelling', async (t) => {
  const html = plainKey.replaceAll('=', '&#61;').replaceAll('+', '&#43;').replaceAll('/', '&#47;');
  const echoes = [
    plainKey,
    encodedKey,
    encodedKey.replace(/%../g, (octet) => octet.toLowerCase()),
    encodeURIComponent(encodedKey),
    plainKey.replaceAll('/', '\\/'),
    plainKey.replaceAll('=', '\\u003d'),
    plainKey.replaceAll('+', ' '),
    Buffer.from(plainKey).toString('base64'),
  ];
  const replies = echoes.flatMap((echo) => [
    body(`no such key ${echo}`, 401),
    body(`GET /x?serviceKey=${echo}&a=1 failed`, 404),
    body(`{"code":-4,"msg":"${'긴 글 '.repeat(45)}${echo}"}`),
    body(good.replace('"a":"1"', `"a":"${echo}"`)),
    body('', 302, { location: `https://evil.test/?serviceKey=${echo}` }),
  ]);
  replies.push(
    body(
      `<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>${html}</errMsg><returnReasonCode>30</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>`,
    ),
  );
  const { client, asked, log } = await portal(t, replies);
  let shown = client.address(stops);
  for (let time = 0; time < replies.length; time++) {
    const result = await client.call(stops).catch((error: unknown) => error);
    shown += inspect(result, { depth: 10, showHidden: true, maxStringLength: null });
    if (result instanceof Error) shown += result.stack;
    else if (typeof result === 'object' && result !== null && 'body' in result) {
      shown += Buffer.from(result.body as Uint8Array).toString('utf8');
    }
  }
  assert.equal(asked.length, replies.length);
  const everything = `${shown}${log()}`;
  for (const echo of [...echoes, html, plainKey.slice(0, 12)]) {
    assert.ok(!everything.includes(echo), echo);
  }
});

test('a broken key is refused without being repeated', () => {
  const options = { quota: createMemoryQuota(), log: createLog({ level: 'silent' }) };
  for (const serviceKey of ['', ' ', 'secret%zz', 'sec ret', 'secret열쇠', 'secret'.repeat(100)]) {
    assert.throws(
      () => createPortalClient({ ...options, serviceKey }),
      (error: Error) => !inspect(error).includes('secret') && /service key/.test(error.message),
    );
  }
});
