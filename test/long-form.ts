import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test, type TestContext } from 'node:test';

/**
 * The long form of the tests, `npm run test:long`: every fault at full scale, hundreds of kills, 100,000 requests,
 * real downloads, and clients and samples in every language.
 */
export const isLongForm = process.env['TEST_LONG'] === '1';

/** Real downloads of the portal, beside the checkout. */
export const realData = resolve(import.meta.dirname, '../../shared/data');

/** Declares a test of the long form that reads `realData`. */
export function realDataTest(title: string, run: (t: TestContext) => void | Promise<void>): void {
  if (!isLongForm) return;
  test(title, { skip: existsSync(realData) ? false : '../shared/data is absent' }, run);
}
