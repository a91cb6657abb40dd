import type { Browser } from 'playwright-core';

/** A first visit to a page by a phone. */
interface FirstVisit {
  readonly requests: number;
  /** Bytes over the wire without the typeface. */
  readonly bytes: number;
  readonly typefaceBytes: number;
  /** Sum of layout shifts until the page was still. */
  readonly shift: number;
  readonly largestPaintMs: number;
}

/** Visits a page as a phone does for the first time; with `isSlow` over 1.6 Mbit/s, 150 ms, a quarter of a processor. */
export async function visitFirst(
  browser: Browser,
  url: string,
  { isSlow = false }: { readonly isSlow?: boolean } = {},
): Promise<FirstVisit> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'ko-KR',
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    if (isSlow) {
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 1_600_000 / 8,
        uploadThroughput: 750_000 / 8,
      });
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    }
    const typefaces = new Set<string>();
    let [requests, bytes, typefaceBytes] = [0, 0, 0];
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Font') typefaces.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (typefaces.has(requestId)) typefaceBytes += encodedDataLength;
      else [requests, bytes] = [requests + 1, bytes + encodedDataLength];
    });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'networkidle' });
    // Written by the script above.
    const { shift, paint } = (await page.evaluate('seen')) as { shift: number; paint: number };
    return { requests, bytes, typefaceBytes, shift, largestPaintMs: paint };
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
const observe = `
  globalThis.seen = { shift: 0, paint: 0 };
  const watch = (type, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  watch('largest-contentful-paint', ({ startTime }) => { seen.paint = startTime; });
`;
