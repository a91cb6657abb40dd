import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isLongForm } from '../long-form.ts';
import { openBrowser } from './open-browser.ts';
import { startWalkScene } from './walk-scene.ts';
import { textIn, walks, type Place, type Walk } from './walks.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());

/** Started by the first walk: the sample data may not be complete before. */
let scene: Promise<string> | undefined;

const ways = [
  { language: 'ko', isByKeyboard: false },
  { language: 'en', isByKeyboard: true },
  { language: 'en', isByKeyboard: false },
  { language: 'ko', isByKeyboard: true },
] as const;
type Way = (typeof ways)[number];

/** A page for each way, in which its walks begin one after the other. */
const pages = new Map<Way, Page>();

const pressesMax = 3;

for (const [at, walk] of walks.entries()) {
  // One way each, and all in the long form.
  for (const way of isLongForm ? ways : [ways[at % ways.length]!]) {
    const by = way.isByKeyboard ? 'keyboard' : 'mouse';
    test(`${walk.task}: found by ${by} (${way.language})`, () => takeWalk(walk, way));
  }
}

async function takeWalk(walk: Walk, way: Way): Promise<void> {
  assert.ok(walk.presses.length <= pressesMax);
  const { language, isByKeyboard } = way;
  const address = await (scene ??= startWalkScene(stack));
  const page = pages.get(way) ?? (await openPage(way));
  const find = ({ css, text }: Place): Locator =>
    page.locator(css, text === undefined ? {} : { hasText: textIn(text, language) }).first();
  await page.goto(address);
  const box = page.locator('main input[name="q"]');
  await (isByKeyboard ? tabTo(page, box) : box.click());
  await page.keyboard.insertText(textIn(walk.typed, language));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/search\?/);
  const download = walk.file === undefined ? null : page.waitForEvent('download');
  for (const place of walk.presses) {
    if (place.isOnPhone === true && isByKeyboard) continue;
    const found = find(place);
    if (isByKeyboard) {
      await tabTo(page, found);
      await page.keyboard.press('Enter');
    } else {
      await found.click();
    }
    await page.waitForLoadState();
  }
  for (const place of walk.answer) await find(place).waitFor();
  if (walk.file !== undefined) assert.match((await download)!.suggestedFilename(), walk.file);
  if (walk.address !== undefined) await page.waitForURL(walk.address);
}

async function openPage(way: Way): Promise<Page> {
  const browser = await openBrowser();
  const context = await browser.newContext({
    locale: way.language === 'ko' ? 'ko-KR' : 'en-US',
    viewport: { width: way.isByKeyboard ? 1280 : 390, height: 844 },
    permissions: ['geolocation'],
    geolocation: { latitude: 37.594, longitude: 126.977 },
  });
  const page = await context.newPage();
  pages.set(way, page);
  return page;
}

/** Presses Tab until an element has the focus, as a reader without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus'))) return;
  }
  assert.fail(`Tab does not reach ${target.toString()}.`);
}

const stopsMax = 400;
