import { startBrowser } from '../test/browser/start-browser.ts';
import { visitFirst } from '../test/browser/first-visit.ts';

// Measures first visits to the main pages of a running server by a phone on a slow network (1.6 Mbit/s, 150 ms, processor
// ÷ 4): bytes without the typeface, layout shift, largest paint; medians of five visits.

const [address = 'http://127.0.0.1:4321', axis = 'file_990000001'] = process.argv.slice(2);
const visits = 5;
const paths = [
  '/',
  '/search',
  '/search?q=강남구 주차장',
  `/data/${axis}`,
  `/data/${axis}?view=map`,
  `/data/${axis}?view=chart`,
  '/region/11680',
  '/region/11680?with=26350',
  '/demand',
  '/status',
  '/catalog',
  '/docs',
  '/docs/lookup-api',
];
await using stack = new AsyncDisposableStack();
const browser = await startBrowser();
stack.defer(() => browser.close());
for (const path of paths) {
  const measured: Awaited<ReturnType<typeof visitFirst>>[] = [];
  for (let visit = 0; visit < visits; visit++) {
    measured.push(await visitFirst(browser, address + encodeURI(path), { isSlow: true }));
  }
  const middle = (of: (one: (typeof measured)[number]) => number): number =>
    measured.map(of).sort((a, b) => a - b)[Math.floor(visits / 2)]!;
  const [bytes, shift, paint] = [
    middle((one) => one.bytes),
    middle((one) => one.shift),
    middle((one) => one.largestPaintMs),
  ];
  process.stdout.write(
    `${path.padEnd(32)} ${(bytes / 1_000).toFixed(1).padStart(6)} kB  shift ${shift.toFixed(4)}  ${Math.round(paint)} ms\n`,
  );
}
