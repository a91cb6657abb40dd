import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** A real Chromium from npm; it carries the libraries that a bare machine lacks. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  // Its own libraries are unpacked only where the environment looks like one without them.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Its defaults switch off the same-origin policy, which is what tests of forgery are about.
    args: [
      ...chromium.args.filter((flag) => flag !== '--disable-web-security'),
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
    ],
    headless: true,
  });
}
