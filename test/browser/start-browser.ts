import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { unpackChromium } from './unpack-chromium.ts';

/** Starts a real Chromium from npm; it carries the libraries that a bare machine lacks. */
export async function startBrowser(): Promise<Browser> {
  const folder = await unpackChromium();
  const executablePath = join(folder, 'chromium');
  const isLibraryMissing = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout.includes(
    'not found',
  );
  return chromium.launch({
    executablePath,
    // Not the package's own list: one process for everything dies with its first context, and without
    // web security a test of who may read what would prove nothing.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    headless: true,
    ...(isLibraryMissing
      ? { env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } }
      : {}),
  });
}
