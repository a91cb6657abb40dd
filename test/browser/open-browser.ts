import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** A real Chromium from npm; it carries the libraries that a bare machine lacks. */
export async function openBrowser(): Promise<Browser> {
  // Its own libraries are unpacked only for a runtime of this name.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  const executablePath = await chromium.executablePath();
  const lacking = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout.includes(
    'not found',
  );
  return playwright.launch({
    executablePath,
    // Not the package's own list: one process for everything dies with its first context, and without
    // web security a test of who may read what would prove nothing.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    headless: true,
    ...(lacking ? { env: { ...process.env, LD_LIBRARY_PATH: join(tmpdir(), 'al2023/lib') } } : {}),
  });
}
