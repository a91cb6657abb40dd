import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerContext } from '../kernel/http/server-context.ts';
import { silentLog } from '../kernel/log.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { request } from '../../test/fixtures/inject.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { docsPages } from './docs/pages.ts';
import { createSite } from './site.ts';

test('every page of the docs is Markdown at .md, and for a client that prefers it', async () => {
  const router = site();
  for (const { slug } of docsPages) {
    for (const lang of ['ko', 'en']) {
      const direct = await request(router, `/docs/${slug}.md?lang=${lang}`);
      assert.equal(direct.status, 200, slug);
      assert.equal(direct.headers.get('content-type'), 'text/markdown; charset=utf-8');
      const text = await direct.text();
      assert.match(text, /^# /m, slug);
      const headers = { accept: 'text/markdown, text/html;q=0.9' };
      const preferred = await request(router, `/docs/${slug}?lang=${lang}`, { headers });
      assert.equal(await preferred.text(), text);
    }
  }
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  const page = await request(router, '/docs/read', browser);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('vary') ?? '', /Accept,/);
});

test('links between Markdown pages lead to Markdown pages', async () => {
  const router = site();
  const text = await (await request(router, '/docs/agents.md?lang=en')).text();
  assert.match(text, /\]\(\/docs\/\w+\.md\?lang=en\)/);
});

test('/llms.txt names the MCP server and every page, and all of these exist', async () => {
  const router = site();
  const response = await request(router, '/llms.txt?lang=en');
  const text = await response.text();
  assert.match(text, /^# Maru\n\n> /);
  const addresses = Array.from(
    text.matchAll(/\]\((\/(?:docs|api|openapi)[^)]*)\)/g),
    ([, one]) => one!,
  );
  assert.equal(addresses.length, docsPages.length + 3);
  for (const address of addresses) {
    assert.equal((await request(router, encodeURI(address))).status, 200, address);
  }
});

test('a dataset is Markdown at .md, and for a client that prefers it; an unknown one is 404', async () => {
  const router = site();
  const direct = await request(router, '/data/file_15012896.md');
  assert.equal(direct.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const text = await direct.text();
  assert.match(text, /^Dataset file_15012896: 60 records[^]*# 전국 주차장 표준데이터/);
  const headers = { accept: 'text/markdown' };
  const preferred = await request(router, '/data/file_15012896', { headers });
  assert.equal(await preferred.text(), text);
  const page = await request(router, '/data/file_15012896', { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /^<!doctype html>/i);
  assert.equal((await request(router, '/data/nowhere.md')).status, 404);
});

function site() {
  const holder = new StoreHolder();
  void holder.replace(fixtureStore());
  const settings = { MARU_BASE_URL: null, MARU_MEMBERS_URL: null };
  return createSite({ holder, settings, server: createServerContext(silentLog) });
}
