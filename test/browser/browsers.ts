import type { DrivenBrowser } from './driven-browser.ts';
import { journeySteps } from './driven-journey.ts';
import { drivenWalks } from './driven-walks.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

/**
 * The journey of the client script and the walks of readers in the machine's own Firefox and WebKit, beside the Chromium
 * of the tests: `node test/browser/browsers.ts [firefox] [webkit]`. Debian: `apt-get install firefox-esr
 * webkit2gtk-driver xvfb`. Exits with 1 if anything failed or a browser does not start, with 2 for an unknown browser.
 */
const browsers = { firefox: openFirefox, webkit: openWebKit };
const names = Object.keys(browsers);
const requestedNames = process.argv.slice(2);
let failures = 0;

if (requestedNames.some((name) => !names.includes(name))) {
  process.stderr.write(`There are ${names.join(' and ')}.\n`);
  process.exitCode = 2;
} else {
  await using scene = new AsyncDisposableStack();
  const steps = { ...journeySteps, ...(await drivenWalks(scene)) };
  for (const [name, open] of Object.entries(browsers)) {
    if (requestedNames.length > 0 && !requestedNames.includes(name)) continue;
    await using stack = new AsyncDisposableStack();
    const browser = await open(stack).catch((error: unknown) => report(`${name} starts`, error));
    if (browser) await runSteps(steps, browser);
  }
  process.stdout.write(failures === 0 ? 'All passed.\n' : `${failures} failed.\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}

async function runSteps(steps: typeof journeySteps, browser: DrivenBrowser): Promise<void> {
  process.stdout.write(`${browser.name} ${browser.version}\n`);
  for (const [step, runStep] of Object.entries(steps)) {
    await using stack = new AsyncDisposableStack();
    await runStep(stack, browser).then(
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
