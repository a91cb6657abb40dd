import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { createServerContext } from '../kernel/http/server-context.ts';
import { openPolicy } from '../kernel/http/response-policy.ts';
import { Router } from '../kernel/http/router.ts';
import { silentLog } from '../kernel/log.ts';
import { addClientScript } from './client-script.ts';
import { request } from '../../test/fixtures/inject.ts';

function site(): Router {
  const router = new Router(createServerContext(silentLog), openPolicy);
  addClientScript(router);
  return router;
}

interface VersionList {
  readonly version: string;
  readonly files: readonly {
    readonly version: string;
    readonly path: string;
    readonly integrity: string;
  }[];
}

async function listOf(router: Router): Promise<VersionList> {
  // The tests compare its members.
  return (await (await request(router, '/sdk/integrity.json')).json()) as VersionList;
}

test('the client script has at most 3,072 bytes compressed', async () => {
  const bytes = Buffer.from(await (await request(site(), '/sdk.js')).arrayBuffer());
  const { length } = gzipSync(bytes, { level: 9 });
  assert.ok(length <= 3_072, String(length));
  assert.ok(length > 1_000, String(length));
});

test('every version has an immutable address and the hash of integrity.json', async () => {
  const router = site();
  const { version, files } = await listOf(router);
  assert.ok(files.some((file) => file.version === version));
  for (const { path, integrity } of files) {
    const response = await request(router, path);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    const digest = createHash('sha384').update(bytes).digest('base64');
    assert.equal(integrity, `sha384-${digest}`, path);
  }
});

test('sdk.js is the newest version, open to every origin and fresh for five minutes', async () => {
  const router = site();
  const { version } = await listOf(router);
  const response = await request(router, '/sdk.js', { headers: { origin: 'https://a.example' } });
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('cache-control') ?? '', /max-age=300\b/);
  const pinned = await request(router, `/sdk/${version}/sdk.js`);
  assert.equal(await response.text(), await pinned.text());
  const again = await request(router, '/sdk.js', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});
