import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createMemoryQuota } from './quota.ts';
import {
  body,
  failure,
  good,
  portal,
  stopsRequest,
  type Reply,
} from '../../../test/loopback-portal.ts';

test('compressed bodies are decompressed', async (t) => {
  const { client } = await portal(t, [body(gzipSync(good), 200, { 'content-encoding': 'gzip' })]);
  assert.equal((await client.call(stopsRequest)).rows.length, 1);
});

test('a body that is compressed twice, or without a header for it, is read within its bound', async (t) => {
  const gzip = { 'content-encoding': 'gzip' };
  const twice = gzipSync(gzipSync(good));
  for (const reply of [body(twice, 200, gzip), body(gzipSync(good)), body(twice)]) {
    const { client, targets } = await portal(t, [reply]);
    assert.equal((await client.call(stopsRequest)).rows.length, 1);
    assert.equal(targets.length, 1);
  }
  const bomb = body(gzipSync(' '.repeat(5_000) + good));
  const { client } = await portal(t, [bomb], { limits: { bodyBytesMax: 4_000 } });
  assert.equal((await failure(client.call(stopsRequest))).code, 'body_too_large');
  const cut = await portal(t, [body(gzipSync(good).subarray(0, 40)), body(good)]);
  assert.equal((await cut.client.call(stopsRequest)).rows.length, 1);
});

test('a body whose header wrongly declares gzip is requested again without compression', async (t) => {
  const { client, targets } = await portal(t, [announced]);
  assert.equal((await client.call(stopsRequest)).rows.length, 1);
  assert.equal(targets.length, 2);
});

const announced: Reply = (response, { headers }) => {
  const isPlain = headers['accept-encoding'] === 'identity';
  response.writeHead(200, isPlain ? {} : { 'content-encoding': 'gzip' }).end(good);
};

function to(location: string): Reply {
  return body('', 301, { location });
}

test('redirects are followed on the same host only, over https, up to a bound', async (t) => {
  const secure = await portal(t, [
    to(`http://${stopsRequest.path}?moved=1`),
    to('/two?x=1'),
    body(good),
  ]);
  await secure.client.call(stopsRequest);
  assert.deepEqual(secure.targets.slice(1), [
    `/${stopsRequest.path}?moved=1`,
    '/apis.data.go.kr/two?x=1',
  ]);

  for (const location of [
    'https://evil.test/x',
    '//evil.test/x',
    'https://apis.data.go.kr.evil.test/',
    'https://user:word@apis.data.go.kr/x',
    'http://[',
  ]) {
    const { client, targets } = await portal(t, [to(location), body(good)]);
    const error = await failure(client.call(stopsRequest));
    assert.deepEqual([error.code, targets.length], ['redirect_elsewhere', 1], location);
  }

  const endless = await portal(t, [to('?again')], { limits: { attemptsMax: 1 } });
  assert.equal((await failure(endless.client.call(stopsRequest))).code, 'redirects');
  assert.equal(endless.targets.length, 4);
});

test('a followed redirect counts against the quota; none is followed once it is spent', async (t) => {
  const quota = createMemoryQuota();
  const limited = { ...stopsRequest, dailyQuota: 3 };
  const { client, targets } = await portal(t, [to('?moved=1'), body(good), to('?moved=2')], {
    quota,
  });
  await client.call(limited);
  assert.equal(quota.used(stopsRequest.path, '2026-11-21'), 2);
  assert.equal((await failure(client.call(limited))).code, 'quota_spent');
  assert.equal(targets.length, 3);
});

test('a body at the bound is read; one byte more is refused, compressed or not', async (t) => {
  const limits = { bodyBytesMax: Buffer.byteLength(good) };
  const exact = await portal(t, [body(good)], { limits });
  await exact.client.call(stopsRequest);
  for (const reply of [
    body(`${good} `),
    body(gzipSync(`${good}${' '.repeat(1_000_000)}`), 200, { 'content-encoding': 'gzip' }),
  ]) {
    const { client } = await portal(t, [reply], { limits });
    const error = await failure(client.call(stopsRequest));
    assert.deepEqual([error.class, error.code], ['request', 'body_too_large']);
  }
});

function unending(response: ServerResponse): void {
  response.writeHead(200).write('{');
}

test('a response that does not begin or does not end times out', async (t) => {
  const silent = await portal(t, [() => {}], { limits: { answerTimeoutMs: 20, attemptsMax: 1 } });
  assert.equal((await failure(silent.client.call(stopsRequest))).code, 'timeout');
  const endless = await portal(t, [unending], { limits: { overallTimeoutMs: 40, attemptsMax: 1 } });
  assert.equal((await failure(endless.client.call(stopsRequest))).code, 'timeout');
});

test('a refused connection is a temporary fault', async (t) => {
  const { client } = await portal(t, [body(good)], {
    gateway: 'http://127.0.0.1:1',
    limits: { attemptsMax: 2 },
  });
  const error = await failure(client.call(stopsRequest));
  assert.deepEqual([error.class, error.code, error.status], ['retry', 'network', null]);
});

test('an aborted signal ends a call before, within and between attempts', async (t) => {
  const stopped = new AbortController();
  stopped.abort(new Error('enough'));
  const idle = await portal(t, [body(good)]);
  await assert.rejects(idle.client.call(stopsRequest, { signal: stopped.signal }), /enough/);
  assert.equal(idle.targets.length, 0);

  const within = new AbortController();
  const hanging = await portal(t, [() => within.abort(new Error('enough'))]);
  await assert.rejects(hanging.client.call(stopsRequest, { signal: within.signal }), /enough/);

  const between = new AbortController();
  const busy = await portal(t, [
    (response) => {
      response.writeHead(503).end('busy', () => between.abort(new Error('enough')));
    },
  ]);
  await assert.rejects(busy.client.call(stopsRequest, { signal: between.signal }), /enough/);
});
