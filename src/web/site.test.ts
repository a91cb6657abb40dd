import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { lookupContract } from '../contract/lookup.ts';
import { createFront } from '../kernel/http/front.ts';
import type { App } from '../kernel/http/route.ts';
import { silentLog } from '../kernel/log.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { fixtureStore } from '../lookup/fixture.ts';
import { createSite } from './site.ts';

function site(): App {
  const holder = new StoreHolder();
  void holder.replace(fixtureStore());
  return createSite({ holder, settings: { MARU_BASE_URL: null }, front: createFront(silentLog) });
}

async function text(app: App, target: string, headers?: Record<string, string>): Promise<string> {
  const response = await app.request(target, headers && { headers });
  assert.equal(response.status, 200, target);
  return response.text();
}

test('the front page is Korean first and lists what is held, with sample data marked', async () => {
  const app = site();
  const korean = await text(app, '/');
  assert.match(korean, /<html lang="ko">/);
  assert.match(korean, /전국 주차장 표준데이터/);
  assert.match(korean, /class="badge sample">보기용 데이터/);
  assert.match(await text(app, '/?lang=en'), /<html lang="en">/);
  assert.match(await text(app, '/', { 'accept-language': 'en' }), /<html lang="en">/);
  const chosen = await text(app, '/?lang=ko', { 'accept-language': 'en' });
  assert.match(chosen, /<html lang="ko">/);
});

test('a search marks what it found, goes on to the next page and suggests when it finds nothing', async () => {
  const app = site();
  const found = await text(app, '/?q=주차장');
  assert.match(found, /<mark>주차장<\/mark>/);
  assert.match(found, /offset=20/);
  assert.match(await text(app, '/?q=rkdska'), /q=%EA%B0%95%EB%82%A8/);
});

test('nothing typed into the search becomes markup', async () => {
  const app = site();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (q) => {
      const asked = `<script>${q}</script>"'&`;
      const shown = await text(app, `/?q=${encodeURIComponent(asked.toWellFormed())}`);
      assert.ok(!shown.includes('<script'));
    }),
    { numRuns: 50 },
  );
  for (const odd of [
    '?q=%',
    '?q=%ff',
    '?q=%00',
    '?offset=-1',
    '?lang=xx',
    '?q=a&offset=999999999',
  ]) {
    assert.equal((await app.request(`/${odd}`)).status, 200, odd);
  }
});

test('pages allow no script, load only their own style, and answer 304', async () => {
  const app = site();
  for (const target of ['/', '/docs', '/assets/maru.css', '/assets/maru.svg']) {
    const response = await app.request(target);
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.ok(!(await response.text()).includes('<script'));
    const tag = response.headers.get('etag')!;
    const again = await app.request(target, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304, target);
  }
});

test('every page has its landmarks, one heading of the first level, and names for its controls', async () => {
  const app = site();
  for (const target of ['/', '/?q=강남', '/docs?lang=en']) {
    const shown = await text(app, target);
    for (const landmark of ['<header>', '<main id="main">', '<footer>', 'class="skip"']) {
      assert.ok(shown.includes(landmark), `${target} ${landmark}`);
    }
    assert.equal(shown.split('<h1>').length, 2);
    for (const [input] of shown.matchAll(/<input(?![^>]*hidden)[^>]*>/g)) {
      assert.match(input, /aria-label="[^"]+"/);
    }
  }
});

test('the reference has every endpoint and every error', async () => {
  const shown = await text(site(), '/docs');
  for (const { path } of Object.values(lookupContract)) assert.ok(shown.includes(path), path);
  assert.match(shown, /id="problem-unknown_axis"/);
});

test('a language is chosen by its name however that is written', async () => {
  assert.match(await text(site(), '/?l%61ng=en'), /<html lang="en">/);
});

test('the reference shows the address by which it was asked, where that is a plain one', async () => {
  const app = site();
  assert.match(
    await text(app, '/docs', { host: 'maru.local:8080' }),
    /http:\/\/maru\.local:8080\/api/,
  );
  assert.match(await text(app, '/docs', { host: 'a"b:1' }), /http:\/\/127\.0\.0\.1:3000\/api/);
});
