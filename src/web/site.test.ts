import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createServerContext } from '../kernel/http/server-context.ts';
import type { App } from '../kernel/http/route.ts';
import { silentLog } from '../kernel/log.ts';
import { limits } from '../kernel/settings.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { createSite } from './site.ts';

function site(): App {
  const holder = new StoreHolder();
  void holder.replace(fixtureStore());
  return createSite({
    holder,
    settings: { MARU_BASE_URL: null },
    front: createServerContext(silentLog),
  });
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

test('records of one name are told apart by day or place, and the whole list is not below them', async () => {
  const app = site();
  const found = await text(app, '/?q=강남역');
  const places = found.match(/소재지 도로명주소: [^<]*어딘가로 \d+/g) ?? [];
  assert.ok(places.length > 1);
  assert.equal(new Set(places).size, places.length);
  assert.match(await text(app, '/?q=설날'), /<p class="quiet">날짜: \d{8}<\/p>/);
  const matched = await text(app, '/?q=어딘가로');
  assert.doesNotMatch(matched, /class="quiet">소재지/, 'A match is not said twice.');
  assert.doesNotMatch(found, /id="held"/);
  assert.match(found, /id="around"/);
  assert.match(await text(app, '/?q=없는말입니다'), /id="wanted"/);
});

test('a page that is refused holds no store open', async () => {
  const holder = new StoreHolder();
  const store = fixtureStore();
  let isClosed = false;
  store[Symbol.asyncDispose] = async () => {
    isClosed = true;
  };
  await holder.replace(store);
  const front = createServerContext(silentLog);
  const app = createSite({ holder, settings: { MARU_BASE_URL: null }, front });
  const refused = await app.request(`/?${'a&'.repeat(limits.parametersMax)}`);
  assert.equal(refused.status, 400);
  void holder.replace(fixtureStore());
  assert.ok(isClosed);
});

test('nothing typed into the search becomes markup', async () => {
  const app = site();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (q) => {
      const asked = `<script>${q}</script>"'&`;
      const shown = await text(app, `/?q=${encodeURIComponent(asked.toWellFormed())}`);
      assert.deepEqual(scriptsOf(shown), ['<script src="/assets/theme.js"']);
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

test('pages run and load only what is their own, nothing written into them, and answer 304', async () => {
  const app = site();
  for (const target of ['/', '/docs', '/docs/read', '/assets/maru.css', '/assets/docs.js']) {
    const response = await app.request(target);
    const policy = response.headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.ok(!policy.includes('unsafe'));
    const shown = await response.text();
    for (const script of scriptsOf(shown)) assert.match(script, / src="\/assets\/[\w.]+"$/);
    assert.doesNotMatch(shown, /<[^>]+ (style|on\w+)=/);
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

test('what does not depend on the question is written once a snapshot', async () => {
  const app = site();
  for (const target of ['/', '/docs', '/docs/lookup-api?lang=en']) {
    const [first, again] = [await app.request(target), await app.request(target)];
    assert.equal(first.headers.get('etag'), again.headers.get('etag'));
    assert.deepEqual(await first.bytes(), await again.bytes());
  }
});

test('a language is chosen by its name however that is written', async () => {
  assert.match(await text(site(), '/?l%61ng=en'), /<html lang="en">/);
});

function scriptsOf(shown: string): string[] {
  return shown.match(/<script[^>]*(?=>)/g) ?? [];
}
