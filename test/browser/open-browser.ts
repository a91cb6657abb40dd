import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from './start-browser.ts';

/** The Chromium of this process: its tests share it, each with contexts of its own, and it ends after the last one. */
export function openBrowser(): Promise<Browser> {
  return (opened ??= startBrowser());
}

let opened: Promise<Browser> | undefined;

after(async () => (await opened)?.close());
