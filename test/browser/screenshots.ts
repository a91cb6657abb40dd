import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pictureSize } from '../../src/web/docs/pictures.ts';
import { startBrowser } from './start-browser.ts';
import { startWalkScene } from './walk-scene.ts';

/**
 * Writes the pictures of README and docs to `docs/pictures`, from the pages over the sample data: `npm run
 * screenshots`. They are WebP of less than 100 kB.
 */
const folder = resolve(import.meta.dirname, '../../docs/pictures');
/** Quality of WebP at which small text stays sharp. */
const quality = 80;

const pictures = {
  dataset:
    '/data/file_990000001?where=요금정보 = 무료&sort=-주차구획수&select=주차장명,소재지도로명주소,주차구획수,요금정보,운영요일',
  chart: '/data/gen_wthrdatalist?view=chart&by=day(tm)&agg=avg(avgTa)#table',
  map: '/data/file_990000001?view=map#table',
};

await using stack = new AsyncDisposableStack();
const address = await startWalkScene(stack);
const browser = await startBrowser();
stack.defer(() => browser.close());
mkdirSync(folder, { recursive: true });
for (const language of ['ko', 'en']) {
  const context = await browser.newContext({ viewport: pictureSize, colorScheme: 'light' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  for (const [name, path] of Object.entries(pictures)) {
    const url = new URL(path, address);
    url.searchParams.set('lang', language);
    await page.goto(url.href, { waitUntil: 'networkidle' });
    // A first visit is shown before its typeface has arrived.
    await page.reload({ waitUntil: 'networkidle' });
    const options = { format: 'webp', quality } as const;
    const { data } = await session.send('Page.captureScreenshot', options);
    const bytes = Buffer.from(data, 'base64');
    writeFileSync(join(folder, `${name}.${language}.webp`), bytes);
    process.stdout.write(`${name}.${language}.webp: ${Math.round(bytes.length / 1_000)} kB\n`);
  }
  await context.close();
}
