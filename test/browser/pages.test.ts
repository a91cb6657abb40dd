import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { startServer, type RunningServer } from '../../src/kernel/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { fixtureStore } from '../fixtures/lookup.ts';
import { docsPages } from '../../src/web/docs/pages.ts';
import { createSite } from '../../src/web/site.ts';
import { isLongForm } from '../long-form.ts';
import { visitFirst } from './first-visit.ts';
import { browserTimes, openBrowser, openPage } from './open-browser.ts';
import { appearancesOf, pageFaults } from './page-faults.ts';

let browser: Browser;
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
  browser = await openBrowser();
});

test('a search by keyboard finds records, marks the matches and leads to a record', async () => {
  await onPage('/', async (page) => {
    await page.keyboard.press('Tab');
    assert.match(await focusedText(page), /본문/, 'The first stop skips to the content.');
    await page.getByRole('combobox').focus();
    await page.keyboard.type('강남역');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=/);
    assert.match((await page.getByRole('heading', { level: 1 }).textContent()) ?? '', /강남역/);
    assert.ok((await page.locator('mark').count()) > 0);
    await page.locator('main ol a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/data\/\w+\/[0-9a-f]{16}/);
    await page.getByRole('link', { name: '검색 결과' }).click();
    await page.waitForURL(/\/search\?.*q=/);
  });
});

test('the way up from a record keeps the list that its reader came from', async () => {
  await onPage('/data/file_15012896?q=강남역', async (page) => {
    await page.locator('tbody th a').first().click();
    await page.waitForURL(/\/[0-9a-f]{16}/);
    await page.locator('nav.trail a').last().click();
    await page.waitForURL(/\/data\/file_15012896\?q=[^#]+#table$/);
  });
});

test('suggestions are read, chosen and closed by keyboard while one types', async () => {
  await onPage('/', async (page) => {
    const input = page.getByRole('combobox', { name: '모든 데이터에서 검색' });
    const options = page.getByRole('option');
    await input.focus();
    await page.keyboard.insertText('주찾');
    await options.first().waitFor();
    assert.equal(await input.getAttribute('aria-expanded'), 'true');
    assert.equal(await input.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('ArrowDown');
    const active = page.locator(`#${await input.getAttribute('aria-activedescendant')}`);
    assert.equal(await active.getAttribute('aria-selected'), 'true');
    assert.match((await active.textContent())!, /전국 주차장 표준데이터.*데이터셋/);
    assert.deepEqual(await pageFaults(page), []);
    await page.keyboard.press('ArrowUp');
    assert.equal(await input.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'hidden' });
    assert.equal(await input.getAttribute('aria-expanded'), 'false');
    assert.equal(await input.inputValue(), '주찾');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=/);
    assert.equal(new URL(page.url()).searchParams.get('q'), '전국 주차장 표준데이터');
  });
});

test('a suggestion is chosen with the mouse, and a typed text is sent as it is by Enter', async () => {
  await onPage('/', async (page) => {
    const input = page.getByRole('combobox');
    await input.pressSequentially('한마음');
    await page.getByRole('option').first().click();
    await page.waitForURL(/q=/);
    assert.match(new URL(page.url()).searchParams.get('q')!, /^한마음 1호점/);
    await input.fill('강남역');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=%EA%B0%95%EB%82%A8%EC%97%AD$/);
  });
});

test('the search box works without JavaScript', async () => {
  await onPage(
    '/',
    async (page) => {
      await page.getByRole('searchbox').fill('강남역');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=/);
      assert.ok((await page.locator('mark').count()) > 0);
      await page.locator('.datasets a').first().click();
      await page.getByRole('link', { name: 'XLSX' }).first().waitFor();
    },
    { javaScriptEnabled: false },
  );
});

test('pages fit a phone and a desk, and have no fault of accessibility, in light and dark', async () => {
  const [additions] = fixtureStore().additions('file_15012896', [1]);
  const paths = [
    '/',
    '/search?q=강남역',
    '/search?q=강남역 근처 주차장 이름순',
    '/search',
    '/data/file_15012896?field=비고&sido=서울&sort=-관리번호',
    '/data/file_15012896?view=chart&by=_sigungu',
    '/data/file_15012896?view=map',
    `/data/file_15012896/${additions!._id}`,
    '/region/11680',
    '/region/11680?with=11110',
    '/demand',
    '/status',
    '/catalog?q=주차',
    '/docs',
    '/docs/design',
    ...(isLongForm ? docsPages.map(({ slug }) => `/docs/${slug}`) : ['/docs/lookup-api']),
  ];
  await onPage('/', async (page) => {
    for (const [at, path] of paths.entries()) {
      for (const { language, colorScheme } of appearancesOf(at)) {
        const address = `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 360, height: 740 });
        const response = await page.goto(server.address + encodeURI(address));
        assert.equal(response?.status(), 200, address);
        assert.deepEqual(await pageFaults(page), [], `${address} ${colorScheme}`);
        const records = page.locator('.views');
        if ((await records.count()) > 0) {
          const { y = 0 } = (await records.boundingBox()) ?? {};
          assert.ok(y < 740, `the records of ${address} begin at ${y} px of a phone`);
        }
        const both = page.locator('.compared table').first();
        if ((await both.count()) > 0) {
          const { x = 0, width = Infinity } = (await both.boundingBox()) ?? {};
          assert.ok(x + width <= 360, `a region of ${address} is beyond a phone`);
        }
        for (const width of [768, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const wide = await page.evaluate('document.documentElement.scrollWidth');
          assert.ok(Number(wide) <= width, `${address} is ${String(wide)} px wide`);
        }
      }
    }
  });
});

test('by keyboard a dataset is filtered, sorted and opened at a record', async () => {
  await onPage('/data/file_15012896', async (page) => {
    await page.getByLabel('시도').focus();
    await page.keyboard.type('서울');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sido=/);
    assert.equal(await page.locator('.count').textContent(), '60건 중 30건');
    await page.getByRole('link', { name: '관리번호', exact: true }).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=/);
    await page.getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('import pandas as pd').waitFor();
    await page.locator('tbody th a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/data\/file_15012896\/[0-9a-f]{16}$/);
    assert.equal((await page.getByRole('heading', { level: 1 }).textContent())?.trim(), '강남역');
  });
});

test('a line typed and two clicks give the parking lots of a district as a workbook', async () => {
  await onPage('/', async (page) => {
    await page.getByRole('combobox').fill('강남구 주차장');
    await page.keyboard.press('Enter');
    await page.locator('.datasets a').first().click();
    assert.equal(await page.locator('.count').textContent(), '60건 중 15건');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'XLSX' }).first().click(),
    ]);
    assert.match(file.suggestedFilename(), /주차장.*\.xlsx$/);
  });
});

test('by keyboard a region is compared with another one, and its map leads to a neighbour', async () => {
  await onPage('/region/11680', async (page) => {
    await page.getByRole('combobox', { name: '비교할 지역' }).focus();
    await page.keyboard.insertText('종로구');
    await page.keyboard.press('Enter');
    await page.waitForURL(/with=/);
    await page.getByRole('heading', { name: '강남구 · 종로구 비교' }).waitFor();
    await page.getByRole('link', { name: '비교 끝내기' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/region\/11680$/);
    await page.locator('.map a[href="/region/11710"] path').click();
    await page.waitForURL(/\/region\/11710$/);
  });
});

test('a map is moved by mouse and keyboard, and shows the records near its reader', async () => {
  const here = { latitude: 37.59812, longitude: 126.98049 };
  const options = { permissions: ['geolocation'], geolocation: here };
  await onPage(
    '/data/file_15012896?view=map',
    async (page) => {
      const map = page.locator('.map');
      await map.scrollIntoViewIfNeeded();
      const { x, y } = (await map.boundingBox())!;
      await page.mouse.move(x + 100, y + 100);
      await page.mouse.down();
      await page.mouse.move(x + 200, y + 300, { steps: 4 });
      await page.mouse.up();
      await page.getByRole('link', { name: '조건 빼기: 지도에 보이는 범위' }).waitFor();
      assert.match(page.url(), /view=map&bbox=\d/);
      const draggedFrame = (await map.getAttribute('data-frame'))!;
      await map.focus();
      await page.keyboard.press('+');
      await page.locator(`.map:not([data-frame="${draggedFrame}"])`).waitFor();
      assert.equal(await page.evaluate('document.activeElement.className'), 'map');
      await page.getByRole('button', { name: '내 주변' }).click();
      await page.getByRole('heading', { name: '가까운 순서의 레코드' }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('near'), '37.598,126.980');
    },
    options,
  );
});

test('a reader whose position is refused names a place, and a name on the map opens its record', async () => {
  const denied = { permissions: [], hasTouch: true, viewport: { width: 390, height: 844 } };
  await onPage(
    '/data/file_15012896?view=map',
    async (page) => {
      await page.getByRole('button', { name: '내 주변' }).click();
      await page.getByText('위 칸에 장소나 주소를 쓰거나').waitFor();
      await page.getByLabel('장소나 주소 근처').fill('강남역');
      await page.keyboard.press('Enter');
      await page.waitForURL(/near=37\.50000%2C127\.00000&place=/);
      await page.getByRole('heading', { name: '가까운 순서의 레코드' }).waitFor();
      assert.deepEqual(await pageFaults(page), []);
    },
    denied,
  );
  const [additions] = fixtureStore().additions('file_15012896', [1]);
  await onPage(
    `/data/file_15012896/${additions!._id}`,
    async (page) => {
      const values = (await page.locator('.values table').boundingBox())!;
      const fields = (await page.locator('.values tbody th').first().boundingBox())!;
      assert.ok(fields.width < 0.4 * values.width, `${fields.width} of ${values.width} px`);
      await page.locator('.map a .place').first().tap();
      await page.waitForURL(/near=37\.6/);
    },
    denied,
  );
});

test('a page loads nothing but itself, its style and its icon', async () => {
  const requested: string[] = [];
  await onPage('/', async (page) => {
    page.on('request', (request) => requested.push(request.url()));
    await page.reload();
  });
  assert.ok(requested.length > 0);
  for (const url of requested) assert.ok(url.startsWith(server.address), url);
});

test('a first visit weighs less than 100 kB without the typeface, and its content stays in place', async () => {
  const paths = [
    '/',
    '/search?q=강남역',
    '/data/file_15012896',
    '/data/file_15012896?view=map',
    '/region/11680?with=11110',
    '/docs/lookup-api',
  ];
  for (const path of paths) {
    const { bytes, shift } = await visitFirst(browser, server.address + encodeURI(path));
    assert.ok(bytes > 0 && bytes <= 100_000, `${path} weighs ${bytes} bytes`);
    assert.ok(shift <= 0.02, `${path} shifts by ${shift}`);
  }
});

/** Opens a page, and fails when the browser complains about anything on it. */
async function onPage(
  path: string,
  use: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack, options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  const response = await page.goto(server.address + encodeURI(path));
  assert.equal(response?.status(), 200);
  await use(page);
  assert.deepEqual(complaints, []);
}

async function focusedText(page: Page): Promise<string> {
  return (await page.evaluate('document.activeElement.textContent')) as string;
}
