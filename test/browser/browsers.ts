import { driven } from './driven-journey.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

/**
 * The journey of the client script in the machine's own Firefox and WebKit, beside the Chromium of the tests: `node
 * test/browser/browsers.ts [firefox] [webkit]`. Debian: `apt-get install firefox-esr webkit2gtk-driver xvfb`. Exits with 1
 * when anything failed or a browser is missing.
 */
const browsers = { firefox: openFirefox, webkit: openWebKit };
const asked = process.argv.slice(2);

let failures = 0;
for (const [name, open] of Object.entries(browsers)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  await using stack = new AsyncDisposableStack();
  const browser = await open(stack);
  process.stdout.write(`${browser.name} ${browser.version}\n`);
  for (const [step, walk] of Object.entries(driven)) {
    await using stack = new AsyncDisposableStack();
    const fault = await walk(stack, browser).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.stack : JSON.stringify(error)),
    );
    process.stdout.write(`  ${fault === null ? 'ok    ' : 'failed'}  ${step}\n`);
    if (fault === null) continue;
    failures++;
    process.stdout.write(`${fault}\n`);
  }
}
process.stdout.write(failures === 0 ? 'All passed.\n' : `${failures} failed.\n`);
process.exitCode = failures === 0 ? 0 : 1;
