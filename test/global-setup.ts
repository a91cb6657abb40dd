import { unpackChromium } from './browser/unpack-chromium.ts';

/** Runs once before all test files: unpacks what several of them need. */
export async function globalSetup(): Promise<void> {
  await unpackChromium();
}
