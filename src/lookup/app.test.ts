import assert from 'node:assert/strict';
import test from 'node:test';
import { assertProblem, json, routes, setUp, type Answer } from '../../test/fixtures/lookup-app.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { request } from '../../test/fixtures/inject.ts';

test('a limit above 500 is clamped with a warning, a malformed number is 400', async () => {
  const { router } = setUp();
  const path = '/api/data/axis?axis=file_15012896';
  const clamped = await json(router, `${path}&limit=501`);
  assert.equal(clamped['limit'], 500);
  assert.deepEqual(clamped['warnings'], [
    { code: 'limit_clamped', parameter: 'limit', requested: 501, used: 500 },
  ]);
  const huge = await json(router, `${path}&limit=${'9'.repeat(300)}`);
  assert.equal(huge['limit'], 500);
  assert.equal((await request(router, `${path}&limit=${'9'.repeat(301)}`)).status, 400);
  const exact = await json(router, `${path}&limit=500`);
  assert.equal(exact['warnings'], undefined);
  const none = await json(router, `${path}&limit=0`);
  assert.deepEqual([none['count'], none['total'], none['next']], [0, 60, null]);
  const past = await json(router, `${path}&offset=100000`);
  assert.deepEqual([past['count'], past['total']], [0, 60]);
  for (const odd of [
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=a',
    'limit=1&limit=1',
    'offset=+1',
  ]) {
    const response = await request(router, `${path}&${odd}`);
    assert.equal(response.status, 400, odd);
    assertProblem(response, await response.json());
  }
});

test('a text of 200 characters is accepted and one of 201 refused, in every Unicode plane', async () => {
  const { router } = setUp();
  for (const character of ['가', '😀', '𠀀']) {
    const path = '/api/data/search?q=';
    const most = await request(router, path + encodeURIComponent(character.repeat(200)));
    assert.equal(most.status, 200, character);
    const more = await request(router, path + encodeURIComponent(character.repeat(201)));
    assert.equal(more.status, 400, character);
  }
});

test('an unknown parameter is a warning, or 400 under strict handling, with the likely name', async () => {
  const { router } = setUp();
  const warned = await json(router, '/api/demand?limt=3');
  assert.deepEqual(warned['warnings'], [
    { code: 'unknown_parameter', parameter: 'limt', suggestion: 'limit' },
  ]);
  const refused = await request(router, '/api/demand?limt=3', {
    headers: { prefer: 'handling=strict', 'accept-language': 'en' },
  });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Did you mean limit\?/);
});

test('errors are Korean, or English where English is preferred', async () => {
  const { router } = setUp();
  const korean = await request(router, '/api/region');
  assert.equal(korean.headers.get('content-language'), 'ko');
  assert.match(await korean.text(), /필수/);
  const english = await request(router, '/api/region', {
    headers: { 'accept-language': 'en-US,en;q=0.9,ko;q=0.1' },
  });
  assert.match(await english.text(), /Missing parameter/);
});

test('a query in EUC-KR is 400 and names the UTF-8 URL to use', async () => {
  const { router } = setUp();
  const problem = await json(router, '/api/data/search?limit=3&q=%BA%B4%BF%F8');
  assert.equal(problem['code'], 'invalid_parameter');
  assert.equal(problem['use'], `/api/data/search?limit=3&q=${encodeURIComponent('병원')}`);
  assert.match(String(problem['detail']), /EUC-KR/);
});

test('POST is 405 with Allow, OPTIONS is 204, HEAD equals GET, an unknown path is 404', async () => {
  const { router } = setUp();
  for (const [, { path }] of routes) {
    const refused = await request(router, path, { method: 'POST', body: '{}' });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
    assertProblem(refused, await refused.json());
    const options = await request(router, path, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('access-control-allow-origin'), '*');
  }
  const head = await request(router, '/api/axes', { method: 'HEAD' });
  const get = await request(router, '/api/axes');
  assert.equal(await head.text(), '');
  assert.equal(head.headers.get('etag'), get.headers.get('etag'));
  assert.equal(head.headers.get('content-length'), String((await get.arrayBuffer()).byteLength));
  const missing = await request(router, '/api/axis');
  assert.equal(missing.status, 404);
  assert.deepEqual(((await missing.json()) as Answer)['suggestions'], ['/api/axes']);
});

test('an answer has the headers of the contract', async () => {
  const { router } = setUp();
  const response = await request(router, '/api/data/axis?axis=file_15012896&offset=20', {
    headers: { 'x-request-id': 'mine-1' },
  });
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(headers.get('etag') ?? '', /^"[\w-]{22}"$/);
  assert.equal(headers.get('last-modified'), 'Sat, 21 Nov 2026 01:02:03 GMT');
  assert.equal(headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=600');
  assert.equal(headers.get('x-total-count'), '60');
  assert.equal(headers.get('x-request-id'), 'mine-1');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(headers.get('server-timing') ?? '', /^total;dur=\d/);
  assert.match(headers.get('link') ?? '', /rel="next".*rel="last"/);
  assert.equal(
    headers.get('access-control-expose-headers'),
    'Link, ETag, X-Request-Id, X-Total-Count, X-Maru-Snapshot, Maru-Warnings',
  );
});

test('a malformed request id is replaced', async () => {
  const { router } = setUp();
  for (const id of ['a b', 'x'.repeat(65), '<script>']) {
    const response = await request(router, '/api/axes', { headers: { 'x-request-id': id } });
    assert.notEqual(response.headers.get('x-request-id'), id);
  }
});

test('a tag that the client has gives 304 without a body and without reading the store', async () => {
  const { router, store } = setUp();
  const target = '/api/data/axis?axis=file_15012896';
  const first = await request(router, target);
  const tag = first.headers.get('etag')!;
  const before = store.reads;
  for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const response = await request(router, target, { headers: { 'if-none-match': tags } });
    assert.equal(response.status, 304, tags);
    assert.equal(await response.text(), '');
    assert.equal(response.headers.get('etag'), tag);
  }
  assert.equal(store.reads, before);
  const other = await request(router, target, { headers: { 'if-none-match': '"other"' } });
  assert.equal(other.status, 200);
  const refused = await request(router, '/api/data/axis?axis=nix', {
    headers: { 'if-none-match': '*' },
  });
  assert.equal(refused.status, 400);
});

test('equal requests have equal tags and bytes, other bytes have other tags', async () => {
  const { router } = setUp();
  const targets = [
    '/api/data/axis?axis=file_15012896',
    '/api/data/axis?limit=20&axis=file_15012896&offset=0',
    '/api/data/axis?axis=file_15012896&limit=10',
    '/api/data/axis?axis=file_15012896&fields=0',
    '/api/data/axis?axis=file_15012896&format=csv',
    '/api/data/axis?axis=file_15012896&format=ndjson',
    '/api/data/axis?axis=file_15012896&x=1',
    '/api/data/axis?axis=gen_restdeinfo',
    '/api/data/search?q=강남',
    '/api/data/search?q=%20%EA%B0%95%EB%82%A8%20',
    '/api/axes',
    '/api/stats',
  ];
  const tagByBody = new Map<string, string>();
  const bodyByTag = new Map<string, string>();
  for (const target of targets) {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const response = await request(router, target, { headers: { 'accept-encoding': coding } });
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      const tag = response.headers.get('etag')!;
      assert.equal(bodyByTag.get(tag) ?? body, body, `${target} ${coding}`);
      assert.equal(tagByBody.get(body) ?? tag, tag, `${target} ${coding}`);
      bodyByTag.set(tag, body);
      tagByBody.set(body, tag);
    }
  }
  assert.equal(bodyByTag.size, tagByBody.size);
});

test('another snapshot has other tags, and the old store closes after its last request', async () => {
  const { router, store, holder } = setUp();
  const before = (await request(router, '/api/axes')).headers.get('etag');
  const lease = holder.lease()!;
  const closed = holder.replace(fixtureStore('20261122-0001'));
  assert.notEqual((await request(router, '/api/axes')).headers.get('etag'), before);
  assert.equal(store.disposed, false);
  lease.release();
  lease.release();
  await closed;
  assert.equal(store.disposed, true);
});
