import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { startServer, type RunningServer } from '../../src/kernel/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { fixtureStore } from '../fixtures/lookup.ts';
import { docsPages } from '../../src/web/docs/pages.ts';
import { createSite } from '../../src/web/site.ts';
import { browserTimes, openPage } from './open-browser.ts';
import { appearancesOf } from './page-faults.ts';

let server: RunningServer;

/** Closes what was opened, even if a later step of `before` fails. */
const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

before(async () => {
  const holder = new StoreHolder();
  await holder.replace(fixtureStore());
  const router = createSite({
    holder,
    server: createServerContext(silentLog),
    settings: { MARU_BASE_URL: null },
  });
  server = opened.use(
    await startServer({ router, host: '127.0.0.1', port: 0, times: browserTimes }),
  );
});

const paths = ['/docs', '/docs/search?q=키', ...docsPages.map(({ slug }) => `/docs/${slug}`)];

test('the keyboard alone reaches the content, the search and a result', async () => {
  await onPage('/docs', async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.match(page.url(), /#main$/, 'The first stop skips to the content.');
    await page.getByRole('searchbox', { name: '문서 검색' }).focus();
    await page.keyboard.type('백업');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search/);
    await page.locator('main ol a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/production\?lang=ko#/);
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), '운영하기');
  });
});

test('a search in English finds a page and keeps the language', async () => {
  await onPage('/docs?lang=en', async (page) => {
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('retry');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/q=retry/);
    assert.ok((await page.locator('main mark').count()) > 0);
    await page.locator('main ol a').first().click();
    await page.waitForURL(/lang=en/);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});

test('a copy button copies the sample and confirms it', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  await onPage(
    '/docs/read',
    async (page) => {
      const sample = page.locator('.code').first();
      await sample.getByRole('button', { name: '복사' }).click();
      await page.getByRole('button', { name: '복사했습니다' }).waitFor();
      assert.equal(await page.getByRole('status').textContent(), '복사했습니다');
      const copied = await page.evaluate('navigator.clipboard.readText()');
      assert.equal(copied, await sample.locator('code').textContent());
    },
    { permissions },
  );
});

test('the theme follows the system until one is chosen, and the choice is kept', async () => {
  await onPage(
    '/docs',
    async (page) => {
      const button = page.getByRole('button', { name: '어두운 화면' });
      assert.equal(await button.getAttribute('aria-pressed'), 'false');
      const light = await backgroundOf(page);
      await button.click();
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      const dark = await backgroundOf(page);
      assert.notEqual(dark, light);
      for (const path of ['/docs/read', '/']) {
        await page.goto(server.address + path);
        assert.equal(await backgroundOf(page), dark, path);
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('button', { name: '어두운 화면' }).click();
      assert.equal(await backgroundOf(page), light);
    },
    { colorScheme: 'light' },
  );
});

test('the form of an endpoint shows the response of the running service, also an error', async () => {
  await onPage('/docs/lookup-api', async (page) => {
    const trial = page.locator('section[aria-labelledby="search"] details.trial');
    await trial.locator('summary').click();
    const q = trial.getByLabel('q', { exact: true });
    await q.fill('한글날');
    await trial.getByRole('button', { name: '보내기' }).click();
    await trial.getByText('"dateName": "한글날"').waitFor();
    assert.match((await trial.locator('.answer p').textContent()) ?? '', /^200 · \d+ ms/);
    const region = page.locator('section[aria-labelledby="region"] details.trial');
    await region.locator('summary').click();
    await region.getByLabel('sido', { exact: true }).fill('없는시');
    await region.getByLabel('sigungu', { exact: true }).fill('');
    await region.getByRole('button', { name: '보내기' }).click();
    await region.getByText('unknown_region').waitFor();
  });
});

test('without scripts the same form opens the response, and buttons that need one are hidden', async () => {
  await onPage(
    '/docs/lookup-api',
    async (page) => {
      assert.equal(await page.getByRole('button', { name: /복사|어두운 화면/ }).count(), 0);
      const trial = page.locator('section[aria-labelledby="region"] details.trial');
      await trial.locator('summary').click();
      await trial.getByRole('button', { name: '보내기' }).click();
      await page.waitForURL(/\/api\/region\?sido=/);
    },
    { javaScriptEnabled: false },
  );
});

test('pages fit 320 px, with landmarks, ordered headings and a name on every control', async () => {
  await onPage('/docs', async (page) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const [at, path] of paths.entries()) {
      for (const { language, colorScheme } of appearancesOf(at)) {
        await page.emulateMedia({ colorScheme });
        await page.goto(addressOf(path, language));
        await page.evaluate('document.querySelectorAll("details").forEach((d) => (d.open = true))');
        const [inner, content] = (await page.evaluate(
          '[innerWidth, document.documentElement.scrollWidth]',
        )) as [number, number];
        assert.ok(content <= inner, `${path} ${language} is ${content} px wide`);
        assert.deepEqual(await page.evaluate(faults), [], `${path} ${language}`);
      }
    }
  });
});

test('printed pages contain the text alone', async () => {
  await onPage('/docs/read', async (page) => {
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['.side', 'header nav', 'button.copy', 'nav.pages']) {
      assert.equal(await page.locator(selector).first().isVisible(), false, selector);
    }
    assert.equal(await page.getByRole('heading', { level: 1 }).isVisible(), true);
  });
});

function addressOf(path: string, language: string): string {
  return `${server.address}${encodeURI(path)}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

function backgroundOf(page: Page): Promise<unknown> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}

/** Opens a page, and fails when the browser complains: a blocked script, a failed load, an error. */
async function onPage(
  path: string,
  use: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack, options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.address + encodeURI(path));
  await use(page);
  assert.deepEqual(complaints, []);
}

/** Runs in the page: finds obstacles for a screen reader or a keyboard. */
const faults = `(() => {
  const found = [];
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('').trim() ||
    [...(element.labels ?? [])].map((label) => label.textContent).join('').trim() ||
    (/^(A|BUTTON|SUMMARY)$/.test(element.tagName) ? element.textContent.trim() : '');
  for (const [role, selector, times] of [['banner', 'body > header', 1], ['main', 'main', 1], ['contentinfo', 'body > footer', 1]])
    if (document.querySelectorAll(selector).length !== times) found.push(role);
  for (const landmark of document.querySelectorAll('nav, form[role], section'))
    if (nameOf(landmark) === '' && landmark.role !== 'search') found.push('nameless ' + landmark.outerHTML.slice(0, 60));
  for (const element of document.querySelectorAll('a, button, summary, input:not([type=hidden]), select, [tabindex]'))
    if (nameOf(element) === '') found.push('nameless ' + element.outerHTML.slice(0, 80));
  for (const element of document.querySelectorAll('[tabindex]'))
    if (element.tabIndex > 0) found.push('order ' + element.outerHTML.slice(0, 60));
  for (const scroller of document.querySelectorAll('main *'))
    if (scroller.scrollWidth > scroller.clientWidth + 1 && getComputedStyle(scroller).overflowX === 'auto' && scroller.tabIndex < 0)
      found.push('unreachable ' + scroller.outerHTML.slice(0, 60));
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) found.push('twice ' + id);
  let before = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.tagName[1]);
    if (level > before + 1) found.push('after level ' + before + ': ' + heading.outerHTML.slice(0, 60));
    before = level;
  }
  for (const table of document.querySelectorAll('table'))
    if (table.querySelector('th') === null) found.push('table without headings');
  return found;
})()`;
