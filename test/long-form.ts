import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test, type TestContext } from 'node:test';

/**
 * The long form of the tests, `npm run test:long`: every fault at full scale, hundreds of kills, 100,000 requests,
 * real downloads, and clients and samples in every language.
 */
export const isLongForm = process.env['TEST_LONG'] === '1';

/** Range of the numbers below `count` that this program tests. Programs of a run divide a test: `TEST_SHARE=2/4`. */
export function shareBelow(count: number): { readonly first: number; readonly end: number } {
  const [share = 1, shares = 1] = (process.env['TEST_SHARE'] ?? '1/1').split('/').map(Number);
  const boundOf = (number: number) => Math.floor((count * number) / shares);
  return { first: boundOf(share - 1), end: boundOf(share) };
}

/** Folder of real downloads from the portal, beside the checkout. */
export const realData = resolve(import.meta.dirname, '../../shared/data');

/** Declares a test of the long form that reads `realData`. */
export function realDataTest(title: string, run: (t: TestContext) => void | Promise<void>): void {
  if (!isLongForm) return;
  test(title, { skip: existsSync(realData) ? false : '../shared/data is absent' }, run);
}
