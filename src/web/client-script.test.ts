import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { createServerContext } from '../kernel/http/server-context.ts';
import type { Connection } from '../kernel/http/request-context.ts';
import type { App } from '../kernel/http/route.ts';
import { silentLog } from '../kernel/log.ts';
import { addClientScript } from './client-script.ts';

function site(): App {
  const app: App = new Hono<{ Bindings: Connection }>();
  addClientScript(app, createServerContext(silentLog));
  return app;
}

interface Listed {
  readonly version: string;
  readonly files: readonly {
    readonly version: string;
    readonly path: string;
    readonly integrity: string;
  }[];
}

async function listed(app: App): Promise<Listed> {
  // What it holds is compared below.
  return (await (await app.request('/sdk/integrity.json')).json()) as Listed;
}

test('the client script has at most 3,072 bytes compressed', async () => {
  const bytes = Buffer.from(await (await site().request('/sdk.js')).arrayBuffer());
  const { length } = gzipSync(bytes, { level: 9 });
  assert.ok(length <= 3_072, String(length));
  assert.ok(length > 1_000, String(length));
});

test('every version lies at an address for good, with the hash that integrity.json names', async () => {
  const app = site();
  const { version, files } = await listed(app);
  assert.ok(files.some((file) => file.version === version));
  for (const { path, integrity } of files) {
    const response = await app.request(path);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    const digest = createHash('sha384').update(bytes).digest('base64');
    assert.equal(integrity, `sha384-${digest}`, path);
  }
});

test('sdk.js is the newest version, may be loaded by any origin, and is soon asked about again', async () => {
  const app = site();
  const { version } = await listed(app);
  const response = await app.request('/sdk.js', { headers: { origin: 'https://a.example' } });
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('cache-control') ?? '', /max-age=300\b/);
  const pinned = await app.request(`/sdk/${version}/sdk.js`);
  assert.equal(await response.text(), await pinned.text());
  const again = await app.request('/sdk.js', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});
