import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './start-browser.ts';

/** The Chromium of this process: its tests share it, and it ends after the last one. */
export function openBrowser(): Promise<Browser> {
  return (opened ??= startBrowser());
}

/**
 * Opens a page for a test. Without options it is the page that tests use one after another, since the first page
 * of a context takes as long as six others; with options it has a context of its own.
 */
export async function openPage(
  stack: AsyncDisposableStack,
  options?: BrowserContextOptions,
): Promise<Page> {
  const browser = await openBrowser();
  if (options !== undefined) {
    const context = stack.use(await browser.newContext({ locale, ...options }));
    return context.newPage();
  }
  const page = await (shared ??= browser.newPage({ locale, viewport }));
  stack.defer(() => clear(page));
  return page;
}

/**
 * Removes what a test has left on the shared page: listeners, routes, stored values and choices of a reader. It stays
 * where it is, since Chromium would start another process for the way back from an empty page.
 */
async function clear(page: Page): Promise<void> {
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.context().clearCookies();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.emulateMedia({ colorScheme: null, media: null });
  await page.setViewportSize(viewport);
}

/** For a server of one test: the browser keeps connections to it that carry no request, and the server would wait. */
export const browserTimes = { drainMs: 0 };

const locale = 'ko-KR';
const viewport = { width: 1280, height: 720 };
let opened: Promise<Browser> | undefined;
let shared: Promise<Page> | undefined;

after(async () => (await opened)?.close());
