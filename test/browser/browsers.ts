import type { DrivenBrowser } from './driven-browser.ts';
import { driven } from './driven-journey.ts';
import { drivenWalks } from './driven-walks.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

/**
 * The journey of the client script and the walks of readers in the machine's own Firefox and WebKit, beside the Chromium
 * of the tests: `node test/browser/browsers.ts [firefox] [webkit]`. Debian: `apt-get install firefox-esr
 * webkit2gtk-driver xvfb`. Exits with 1 when anything failed or a browser does not start, with 2 for one that is none of
 * these.
 */
const browsers = { firefox: openFirefox, webkit: openWebKit };
const names = Object.keys(browsers);
const given = process.argv.slice(2);
let failures = 0;

if (given.some((name) => !names.includes(name))) {
  process.stderr.write(`There are ${names.join(' and ')}.\n`);
  process.exitCode = 2;
} else {
  await using scene = new AsyncDisposableStack();
  const steps = { ...driven, ...(await drivenWalks(scene)) };
  for (const [name, open] of Object.entries(browsers)) {
    if (given.length > 0 && !given.includes(name)) continue;
    await using stack = new AsyncDisposableStack();
    const browser = await open(stack).catch((error: unknown) => report(`${name} starts`, error));
    if (browser) await takeAll(steps, browser);
  }
  process.stdout.write(failures === 0 ? 'All passed.\n' : `${failures} failed.\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}

async function takeAll(steps: typeof driven, browser: DrivenBrowser): Promise<void> {
  process.stdout.write(`${browser.name} ${browser.version}\n`);
  for (const [step, take] of Object.entries(steps)) {
    await using stack = new AsyncDisposableStack();
    await take(stack, browser).then(
      () => process.stdout.write(`  ok      ${step}\n`),
      (error: unknown) => report(step, error),
    );
  }
}

function report(step: string, error: unknown): void {
  failures++;
  const fault = error instanceof Error ? error.stack : JSON.stringify(error);
  process.stdout.write(`  failed  ${step}\n${fault}\n`);
}
