import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createServerContext } from '../kernel/http/server-context.ts';
import type { Router } from '../kernel/http/router.ts';
import { silentLog } from '../kernel/log.ts';
import { limits } from '../kernel/http/limits.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { createSite } from './site.ts';
import { request } from '../../test/fixtures/inject.ts';
import { anyText } from '../../test/any-text.ts';

function site(): Router {
  const holder = new StoreHolder();
  void holder.replace(fixtureStore());
  return createSite({
    holder,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
  });
}

async function text(
  router: Router,
  target: string,
  headers?: Record<string, string>,
): Promise<string> {
  const response = await request(router, target, headers && { headers });
  assert.equal(response.status, 200, target);
  return response.text();
}

test('the front page defaults to Korean and lists the datasets, with sample data marked', async () => {
  const router = site();
  const korean = await text(router, '/');
  assert.match(korean, /<html lang="ko">/);
  assert.match(korean, /전국 주차장 표준데이터/);
  assert.match(korean, /class="badge sample">예시 데이터/);
  assert.match(await text(router, '/?lang=en'), /<html lang="en">/);
  assert.match(await text(router, '/', { 'accept-language': 'en' }), /<html lang="en">/);
  const chosen = await text(router, '/?lang=ko', { 'accept-language': 'en' });
  assert.match(chosen, /<html lang="ko">/);
});

test('a search marks its matches and links the next page; one without a result is reread', async () => {
  const router = site();
  const found = await text(router, '/?q=주차장');
  assert.match(found, /<mark>주차장<\/mark>/);
  assert.match(found, /offset=20/);
  assert.match(
    await text(router, '/?q=rkdska'),
    /“rkdska”에 맞는 데이터가 없어 “강남”으로 찾았습니다./,
  );
});

test('results of the same name show a date or place, and no list of datasets follows', async () => {
  const router = site();
  const found = await text(router, '/?q=강남역');
  const places = found.match(/소재지 도로명주소: [^<]*어딘가로 \d+/g) ?? [];
  assert.ok(places.length > 1);
  assert.equal(new Set(places).size, places.length);
  assert.match(await text(router, '/?q=설날'), /<p class="quiet">날짜: \d{8}<\/p>/);
  const matched = await text(router, '/?q=어딘가로');
  assert.doesNotMatch(matched, /class="quiet">소재지/, 'A match is shown once.');
  assert.doesNotMatch(found, /id="held"/);
  assert.match(found, /id="around"/);
  assert.match(await text(router, '/?q=없는말입니다'), /id="wanted"/);
});

test('a refused page releases its store', async () => {
  const holder = new StoreHolder();
  const store = fixtureStore();
  let isClosed = false;
  store[Symbol.asyncDispose] = async () => {
    isClosed = true;
  };
  await holder.replace(store);
  const router = createSite({
    holder,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
  });
  const refused = await request(router, `/?${'a&'.repeat(limits.parametersMax)}`);
  assert.equal(refused.status, 400);
  void holder.replace(fixtureStore());
  assert.ok(isClosed);
});

test('a search text never becomes markup', async () => {
  const router = site();
  await fc.assert(
    fc.asyncProperty(anyText({ maxLength: 40 }), async (q) => {
      const typed = `<script>${q}</script>"'&`;
      const shown = await text(router, `/?q=${encodeURIComponent(typed.toWellFormed())}`);
      assert.deepEqual(scriptsOf(shown), [
        '<script src="/assets/theme.js"',
        '<script src="/assets/suggest.js" defer',
      ]);
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
    assert.equal((await request(router, `/${odd}`)).status, 200, odd);
  }
});

test('pages load only their own scripts and styles, have no inline ones, and support 304', async () => {
  const router = site();
  for (const target of ['/', '/docs', '/docs/read', '/assets/maru.css', '/assets/docs.js']) {
    const response = await request(router, target);
    const policy = response.headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.ok(!policy.includes('unsafe'));
    const shown = await response.text();
    for (const script of scriptsOf(shown))
      assert.match(script, / src="\/assets\/[\w.]+"(?: defer)?$/);
    assert.doesNotMatch(shown, /<[^>]+ (style|on\w+)=/);
    const tag = response.headers.get('etag')!;
    const again = await request(router, target, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304, target);
  }
});

test('every page has landmarks, one first-level heading and a name for every control', async () => {
  const router = site();
  for (const target of ['/', '/?q=강남', '/docs?lang=en']) {
    const shown = await text(router, target);
    for (const landmark of ['<header>', '<main id="main">', '<footer>', 'class="skip"']) {
      assert.ok(shown.includes(landmark), `${target} ${landmark}`);
    }
    assert.equal(shown.split('<h1>').length, 2);
    for (const [input] of shown.matchAll(/<input(?![^>]*hidden)[^>]*>/g)) {
      assert.match(input, /aria-label="[^"]+"/);
    }
  }
});

test('a page without a search is rendered once per snapshot', async () => {
  const router = site();
  for (const target of ['/', '/docs', '/docs/lookup-api?lang=en']) {
    const [first, again] = [await request(router, target), await request(router, target)];
    assert.equal(first.headers.get('etag'), again.headers.get('etag'));
    assert.deepEqual(await first.bytes(), await again.bytes());
  }
});

test('the lang parameter works with a percent-encoded name', async () => {
  assert.match(await text(site(), '/?l%61ng=en'), /<html lang="en">/);
});

function scriptsOf(shown: string): string[] {
  return shown.match(/<script[^>]*(?=>)/g) ?? [];
}
