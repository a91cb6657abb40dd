import assert from 'node:assert/strict';
import test from 'node:test';
import { createServerContext } from '../kernel/http/server-context.ts';
import { silentLog } from '../kernel/log.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { request } from '../../test/fixtures/inject.ts';
import { createSite } from './site.ts';

test('every piece that the styles name is a font of this service, kept for a year', async () => {
  const holder = new StoreHolder();
  await holder.replace(fixtureStore());
  const server = createServerContext(silentLog);
  const router = createSite({ holder, server, settings: { MARU_BASE_URL: null } });
  const styles = await (await request(router, '/assets/pretendard.css')).text();
  const addresses = [...styles.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => `/assets/${url}`);
  assert.ok(addresses.length > 90);
  for (const address of addresses) {
    const response = await request(router, address);
    assert.equal(response.status, 200, address);
    assert.equal(response.headers.get('content-type'), 'font/woff2');
    assert.match(response.headers.get('cache-control')!, /max-age=31536000, immutable/);
    assert.equal(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4), 'wOF2');
  }
  const [, version] = /url\(([^/]*)\//.exec(styles)!;
  for (const unknown of ['999.woff2', 'OFL.txt', '..%2Fpretendard.css']) {
    assert.equal((await request(router, `/assets/${version}/${unknown}`)).status, 404, unknown);
  }
});
