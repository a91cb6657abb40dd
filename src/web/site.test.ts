import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as streamText } from 'node:stream/consumers';
import test from 'node:test';
import fc from 'fast-check';
import { createServerContext } from '../kernel/http/server-context.ts';
import { startServer } from '../kernel/http/server.ts';
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
  assert.match(korean, /데이터셋 1개, 레코드 60건/, 'Sample data is not counted with the real.');
  assert.match(await text(router, '/?lang=en'), /<html lang="en">/);
  assert.match(await text(router, '/', { 'accept-language': 'en' }), /<html lang="en">/);
  const chosen = await text(router, '/?lang=ko', { 'accept-language': 'en' });
  assert.match(chosen, /<html lang="ko">/);
});

test('without a snapshot the front page is 503 for a proxy, and no cache keeps it', async () => {
  const fault = { code: 'unreachable', message: 'refused', sinceMs: 0 } as const;
  const router = createSite({
    holder: new StoreHolder(),
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
    followed: () => ({ checkedAtMs: null, fault }),
  });
  const response = await request(router, '/');
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(await response.text(), /데이터를 준비하고 있습니다/);
  const ready = await request(router, '/readyz');
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /\(unreachable\)/);
});

test('a record of a later snapshot is 503 on a follower, for a proxy, and 410 elsewhere', async () => {
  for (const followed of [() => ({ checkedAtMs: 0, fault: null }), undefined]) {
    const holder = new StoreHolder();
    await holder.replace(fixtureStore());
    const router = createSite({
      holder,
      settings: { MARU_BASE_URL: null },
      server: createServerContext(silentLog),
      ...(followed === undefined ? {} : { followed }),
    });
    const statusOf = async (snapshot: string): Promise<(number | string | null)[]> => {
      const target = `/data/file_15012896/0000000000000000?snapshot=${snapshot}`;
      const { status, headers } = await request(router, target);
      return [status, headers.get('retry-after')];
    };
    const isFollower = followed !== undefined;
    assert.deepEqual(await statusOf('99991231-0001'), isFollower ? [503, '2'] : [410, null]);
    assert.deepEqual(await statusOf('20200101-0001'), [410, null]);
  }
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
      const target = `/search?q=${encodeURIComponent(typed.toWellFormed())}`;
      const response = await request(router, target, { headers: { accept: 'text/html' } });
      assert.ok(response.status < 500);
      for (const script of scriptsOf(await response.text())) assert.match(script, ownScript);
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
    const response = await request(router, `/search${odd}`, { headers: { accept: 'text/html' } });
    assert.ok(response.status < 500, odd);
    assert.match(await response.text(), /<main id="main">/);
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
    for (const script of scriptsOf(shown)) assert.match(script, ownScript);
    assert.doesNotMatch(shown, /<[^>]+ (style|on\w+)=/);
    const tag = response.headers.get('etag')!;
    const again = await request(router, target, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304, target);
  }
});

test('every page has landmarks, one first-level heading and a name for every control', async () => {
  const router = site();
  const others = ['/demand', '/status', '/catalog'];
  const data = ['/search?q=강남', '/search', '/data/file_15012896', '/region/11', ...others];
  for (const target of ['/', ...data, '/docs?lang=en']) {
    const shown = await text(router, target);
    for (const landmark of ['<header>', '<main id="main">', '<footer>', 'class="skip"']) {
      assert.ok(shown.includes(landmark), `${target} ${landmark}`);
    }
    assert.equal(shown.split('<h1').length, 2);
    const unlabelled = shown.replaceAll(/<label[^]*?<\/label\s*>/g, '');
    for (const [input] of unlabelled.matchAll(/<input(?![^>]*hidden)[^>]*>/g)) {
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

test('a slash at the end of an address redirects to the page, and never to another host', async () => {
  const router = site();
  for (const [target, location] of [
    ['/docs/', '/docs'],
    ['/api/axes/', '/api/axes'],
    ['/data/file_15012896/?lang=en', '/data/file_15012896?lang=en'],
  ] as const) {
    const response = await request(router, target);
    assert.equal(response.status, 308, target);
    assert.equal(response.headers.get('location'), location);
  }
  for (const target of ['//evil.example/', '/nothing/']) {
    assert.equal((await request(router, target)).status, 404, target);
  }
});

test('an unknown address is a page for a browser, and JSON for a program and under /api', async () => {
  const router = site();
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await request(router, '/doc', { headers });
  assert.equal(page.status, 404);
  assert.match(await page.text(), /href="\/docs">\/docs</);
  for (const [target, init] of [
    ['/doc', {}],
    ['/api/nothing', { headers }],
  ] as const) {
    const { headers: given } = await request(router, target, init);
    assert.match(given.get('content-type')!, /problem\+json/, target);
  }
});

test('the page of a problem links its own host alone, and shows no control characters', async () => {
  await using server = await startServer({ router: site(), host: '127.0.0.1', port: 0 });
  const shown = async (path: string): Promise<string> => {
    // `fetch` and tests without a network change backslashes.
    const sent = get({ port: server.port, path, headers: { accept: 'text/html' }, agent: false });
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return streamText(answer);
  };
  for (const path of [
    '//evil.example/login?x=1',
    '/\\evil.example/?sort=a',
    '/\\/evil.example/',
    '//evil.example/search?q=a&offset=x',
  ]) {
    const page = await shown(path);
    assert.match(page, /href="\/evil\.example\/[^"]*lang=en"/, path);
    assert.doesNotMatch(page, /(?:href|action)="\/[/\\]/, path);
  }
  assert.match(await shown('/data/%01%1b'), /\uFFFD\uFFFD 데이터셋이 없습니다/);
});

test('each language of a page has its own canonical address, and names the other', async () => {
  const router = site();
  const host = 'maru.example';
  for (const path of [
    '/',
    '/catalog',
    '/demand',
    '/status',
    '/region/11680',
    '/data/file_15012896',
  ]) {
    const korean = `http://${host}${path}`;
    const english = `${korean}?lang=en`;
    for (const [target, canonical] of [
      [path, korean],
      [`${path}?lang=ko`, korean],
      [`${path}?lang=en`, english],
    ] as const) {
      const shown = await text(router, target, { host });
      const linkTo = (rel: string, href: string): boolean =>
        shown.includes(`<link rel="${rel}" href="${href}" />`);
      assert.ok(linkTo('canonical', canonical), target);
      assert.ok(linkTo('alternate" hreflang="ko', korean), target);
      assert.ok(linkTo('alternate" hreflang="en', english), target);
      assert.ok(linkTo('alternate" hreflang="x-default', korean), target);
    }
    const unknown = await text(router, path, { host: `${'a'.repeat(99)}.kr` });
    assert.doesNotMatch(
      unknown,
      /rel="canonical"|hreflang="x-default"|<script type="application\/ld\+json/,
      path,
    );
  }
  assert.match(await text(router, '/sitemap.xml', { host }), /<loc>http:\/\/maru\.example\/</);
});

test('search engines find the sitemap with real datasets alone, and browsers the icon', async () => {
  const router = site();
  assert.match(await text(router, '/robots.txt'), /^Sitemap: http:.*\/sitemap\.xml$/m);
  const sitemap = await text(router, '/sitemap.xml');
  assert.match(sitemap, /\/data\/file_15012896<\/loc\s*><lastmod\s*>2026-11-01</);
  assert.match(sitemap, /\/region\/11680<\/loc/);
  assert.doesNotMatch(sitemap, /gen_restdeinfo/);
  const icon = await request(router, '/favicon.ico');
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
});

test('other catalogs harvest the real datasets with their files and terms as DCAT', async () => {
  const response = await request(site(), '/catalog.jsonld', { headers: { host: 'maru.example' } });
  assert.equal(response.headers.get('content-type'), 'application/ld+json; charset=utf-8');
  const catalog = (await response.json()) as DcatCatalog;
  assert.equal(catalog['@type'], 'dcat:Catalog');
  assert.deepEqual(
    catalog['dcat:dataset'].map((dataset) => dataset['dct:identifier']),
    ['file_15012896'],
  );
  const [parking] = catalog['dcat:dataset'];
  assert.equal(parking!['@id'], 'http://maru.example/data/file_15012896');
  assert.deepEqual(parking!['dcat:theme'], [
    { '@id': 'http://publications.europa.eu/resource/authority/data-theme/TRAN' },
  ]);
  for (const { 'dcat:downloadURL': url } of parking!['dcat:distribution']) {
    const { pathname, search } = new URL(url['@id']);
    assert.equal((await request(site(), pathname + search)).status, 200, url['@id']);
  }
});

interface DcatCatalog {
  readonly '@type': string;
  readonly 'dcat:dataset': readonly {
    readonly '@id': string;
    readonly 'dct:identifier': string;
    readonly 'dcat:theme': readonly object[];
    readonly 'dcat:distribution': readonly {
      readonly 'dcat:downloadURL': { readonly '@id': string };
    }[];
  }[];
}

test('the lang parameter works with a percent-encoded name', async () => {
  assert.match(await text(site(), '/?l%61ng=en'), /<html lang="en">/);
});

const ownScript = / src="\/assets\/[\w.]+"(?: defer)?$/;

function scriptsOf(shown: string): string[] {
  return shown.match(/<script[^>]*(?=>)/g) ?? [];
}
