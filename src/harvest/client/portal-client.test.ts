import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import {
  body,
  encodedKey,
  failure,
  good,
  noon,
  plainKey,
  portal,
  stopsRequest,
  type Reply,
} from '../../../test/loopback-portal.ts';
import { hourMs } from '../../data/korean-time.ts';
import { portalLimits } from './limits.ts';
import { createMemoryQuota, type QuotaStore } from './quota.ts';

test('a request goes to the gateway by host and path, with the key encoded once', async (t) => {
  const { client, targets, headers } = await portal(t, [body(good)]);
  const answer = await client.call(stopsRequest);
  assert.deepEqual(answer.rows, [{ a: '1' }]);
  assert.deepEqual(targets, [
    `/${stopsRequest.path}?serviceKey=${encodedKey}&_type=json&cityCode=25&nodeNm=%EC%8B%9C%EC%B2%AD%20%EC%95%9E`,
  ]);
  assert.match(headers[0]!['user-agent'] ?? '', /^Maru\//);
});

test('each spelling of the key, and a hexadecimal key, is sent encoded once', async (t) => {
  const hex = '0123456789abcdef'.repeat(4);
  for (const [serviceKey, sent] of [
    [plainKey, encodedKey],
    [`  ${encodedKey}\n`, encodedKey],
    [hex, hex],
  ] as const) {
    const { client, targets } = await portal(t, [body(good)], { serviceKey });
    await client.call(stopsRequest);
    assert.ok(targets[0]!.includes(`?serviceKey=${sent}&`));
  }
});

test('the file API gets the key in a header, and a keyless operation gets none', async (t) => {
  const answer = body('{"currentCount":0,"data":[],"totalCount":0}');
  const first = await portal(t, [answer]);
  const rows = { ...stopsRequest, path: 'api.odcloud.kr/api/15077093/v1/dataset', parameters: {} };
  await first.client.call({ ...rows, key: { in: 'header' } });
  assert.equal(first.headers[0]!.authorization, `Infuser ${plainKey}`);
  assert.deepEqual(first.targets, ['/api.odcloud.kr/api/15077093/v1/dataset']);

  const keyless = await portal(t, [answer], { serviceKey: null });
  await keyless.client.call({ ...rows, key: null });
  const error = await failure(keyless.client.call(rows));
  assert.equal(error.code, 'no_key');
  assert.equal(keyless.targets.length, 1);
});

test('JSON is mended when two attempts return the same broken bytes, else requested again', async (t) => {
  const bodies = ['한"글', '두"글', '두"글'].map((text) => body(good.replace('"1"', `"${text}"`)));
  const { client, targets } = await portal(t, bodies);
  const answer = await client.call(stopsRequest);
  assert.deepEqual([answer.rows, answer.isMended], [[{ a: '두"글' }], true]);
  assert.equal(targets.length, 3);
});

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '9999' }).write(good.slice(0, 20));
  response.destroy();
}

test('temporary faults are retried, each after a backoff below a doubling bound', async (t) => {
  const faults = [
    body('Error forwarding request to backend server', 502),
    body('<html><body>점검</body></html>'),
    body(good.slice(0, 60)),
    cut,
    body('{"header":{"resultCode":"99","resultMsg":"UNKNOWN_ERROR."}}'),
    body(good),
  ];
  const { client, targets, waits, log } = await portal(t, faults);
  assert.equal((await client.call(stopsRequest)).rows.length, 1);
  assert.equal(targets.length, 6);
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000]);
  assert.equal(log().split('upstream.retry').length - 1, 5);
});

test('attempts end at their bound, and the error has the time of the next retry', async (t) => {
  const { client, targets, waits } = await portal(t, [body('busy', 503)]);
  const error = await failure(client.call(stopsRequest));
  assert.deepEqual(
    [error.class, error.code, error.status, error.attempts, targets.length],
    ['retry', 'http_503', 503, 6, 6],
  );
  assert.equal(waits.length, 5);
  assert.ok(error.retryAt !== null && error.retryAt > noon);
  assert.match(error.message, /getSttnNoList: busy \(http_503\)\. The fault is temporary/);
});

test('a short Retry-After is waited for; a long one becomes the retry time of the error', async (t) => {
  const short = await portal(t, [
    body('API rate limit exceeded', 429, { 'retry-after': '7' }),
    body(good),
  ]);
  await short.client.call(stopsRequest);
  assert.deepEqual(short.waits, [7_000]);

  // The server's clock is three hours ahead.
  const ahead = { date: new Date(noon + 3 * hourMs).toUTCString() };
  const until = new Date(noon + 3 * hourMs + 9_000).toUTCString();
  const dated = await portal(t, [
    body('busy', 503, { ...ahead, 'retry-after': until }),
    body(good),
  ]);
  await dated.client.call(stopsRequest);
  assert.deepEqual(dated.waits, [9_000]);

  const long = await portal(t, [body('busy', 503, { 'retry-after': '121' })]);
  const error = await failure(long.client.call(stopsRequest));
  assert.equal(error.retryAt, noon + 121_000);
  assert.deepEqual([long.targets.length, long.waits.length], [1, 0]);
});

function gateway(code: string, name: string): Reply {
  return body(
    `<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>${name}</returnAuthMsg><returnReasonCode>${code}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>`,
    403,
  );
}

test('a refusal is sent once, and its error advises the operator', async (t) => {
  const cases: [Reply, string, RegExp][] = [
    [gateway('30', 'SERVICE_KEY_IS_NOT_REGISTERED_ERROR'), 'service 30', /Check MARU_SERVICE_KEY/],
    [gateway('31', 'DEADLINE_HAS_EXPIRED_ERROR'), 'service 31', /extend it .*15098534/],
    [gateway('12', 'NO_OPENAPI_SERVICE_ERROR'), 'request 12', /retired or moved/],
    [body('Forbidden', 403), 'service forbidden', /Apply for the dataset/],
    [body('API not found', 404), 'request api_not_found', /successor/],
  ];
  for (const [reply, fault, advice] of cases) {
    const { client, targets } = await portal(t, [reply]);
    const error = await failure(client.call(stopsRequest));
    assert.equal(`${error.class} ${error.code}`, fault);
    assert.match(error.advice, advice);
    assert.equal(error.retryAt, null);
    assert.equal(targets.length, 1);
  }
});

test('a spent quota lasts until midnight in Korea, without another request that day', async (t) => {
  const { client, targets, pass, ...rest } = await portal(t, [
    body('API token quota exceeded', 429),
  ]);
  for (let time = 0; time < 2; time++) {
    const error = await failure(client.call(stopsRequest));
    assert.equal(error.class, 'quota');
    // Five minutes, and half of the ten that the jitter may add.
    assert.equal(error.retryAt, Date.parse('2026-11-22T00:10:00+09:00'));
  }
  assert.equal(targets.length, 1);
  pass(12 * hourMs);
  assert.equal((await failure(client.call(stopsRequest))).class, 'quota');
  assert.equal(targets.length, 2);
  assert.equal(rest.waits.length, 0);
});

test('requests and retries count by operation; none is sent once the quota is spent', async (t) => {
  const quota: QuotaStore = createMemoryQuota();
  const { client, targets } = await portal(t, [body('busy', 503), body(good)], { quota });
  const request = { ...stopsRequest, dailyQuota: 3 };
  await client.call(request);
  await client.call(request);
  const error = await failure(client.call(request));
  assert.deepEqual([error.code, error.attempts, targets.length], ['quota_spent', 1, 3]);
  assert.equal(await quota.used(stopsRequest.path, '2026-11-21'), 3);
  await client.call({ ...request, path: `${stopsRequest.service}/getCtyCodeList` });
  assert.equal(targets.length, 4);
});

test('a service that keeps failing gets one trial after each pause', async (t) => {
  const upstream = await portal(t, [body('busy', 503)], {
    limits: { callsPerSecond: 1e6, circuitFailuresMax: 8, circuitOpenMs: 60_000 },
  });
  const { client, targets, pass } = upstream;
  await failure(client.call(stopsRequest));
  // Two more failures open the circuit; after a minute the trial fails and opens it for longer.
  const opened = await failure(client.call(stopsRequest));
  assert.equal(targets.length, 8 + 1);
  assert.equal(opened.code, 'http_503');

  const refused = await failure(client.call(stopsRequest));
  assert.equal(refused.code, 'circuit_open');
  assert.equal(refused.retryAt, opened.retryAt);
  assert.equal(targets.length, 8 + 1);
  const other = {
    ...stopsRequest,
    path: 'apis.data.go.kr/other/get',
    service: 'apis.data.go.kr/other',
  };
  await failure(client.call(other));
  assert.equal(targets.length, 8 + 1 + 6);

  pass(120_000);
  assert.equal((await failure(client.call(stopsRequest))).code, 'http_503');
  assert.equal(targets.length, 8 + 1 + 6 + 1);
  pass(120_000);
  assert.equal((await failure(client.call(stopsRequest))).code, 'circuit_open');
  pass(120_000);
  upstream.replies = [body(good)];
  await client.call(stopsRequest);
  await client.call(stopsRequest);
});

test('requests are sent at the rate of the limits', async (t) => {
  const { client, waits } = await portal(t, [body(good)], { limits: { callsPerSecond: 4 } });
  for (let time = 0; time < 6; time++) await client.call(stopsRequest);
  assert.deepEqual(waits, [250, 250]);
});

test('a quota refused after midnight counts for the day on which the attempt began', async (t) => {
  const beforeMidnight = Date.parse('2026-11-21T14:59:59Z') - noon;
  const spent = '{"response":{"header":{"resultCode":"22"}}}';
  const slow = await portal(t, [
    (response) => {
      slow.pass(2_000);
      response.writeHead(200).end(spent);
    },
  ]);
  slow.pass(beforeMidnight);
  const error = await failure(slow.client.call(stopsRequest));
  assert.equal(new Date(error.retryAt ?? 0).toISOString(), '2026-11-21T15:10:00.000Z');
});

test('a quota refused early in a day is requested again after a quarter of an hour', async (t) => {
  const quota = createMemoryQuota();
  const spent = body('API token quota exceeded', 429);
  const early = await portal(t, [spent], { quota });
  early.pass(Date.parse('2026-11-22T00:00:30+09:00') - noon);
  const error = await failure(early.client.call(stopsRequest));
  assert.equal(error.class, 'quota');
  assert.equal(error.retryAt, Date.parse('2026-11-22T00:15:30+09:00'));
  assert.match(error.message, /quarter of an hour/);
  assert.equal(quota.used(stopsRequest.path, '2026-11-22'), 1);
  early.pass(15 * 60_000);
  early.replies = [body(good), spent];
  await early.client.call(stopsRequest);
  // After an answer of the same day, the refusal is about that day.
  const late = await failure(early.client.call(stopsRequest));
  assert.equal(late.retryAt, Date.parse('2026-11-23T00:10:00+09:00'));
  assert.equal(quota.used(stopsRequest.path, '2026-11-22'), Number.POSITIVE_INFINITY);
});

test('a quota refused in the second hour of a day lasts until the next day', async (t) => {
  const second = await portal(t, [body('API token quota exceeded', 429)]);
  second.pass(Date.parse('2026-11-22T01:00:00+09:00') - noon);
  const error = await failure(second.client.call(stopsRequest));
  assert.equal(error.retryAt, Date.parse('2026-11-23T00:10:00+09:00'));
});

test('an outage that ends within a minute fails none of several concurrent calls', async (t) => {
  const down = Array.from({ length: portalLimits.circuitFailuresMax }, () => body('', 503));
  const { client, targets } = await portal(t, [...down, body(good)]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.call(stopsRequest)));
  assert.ok(answers.every(({ rows }) => rows.length === 1));
  assert.ok(targets.length <= down.length + answers.length);
});
