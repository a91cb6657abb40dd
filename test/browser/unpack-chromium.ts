import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';

/** Unpacks Chromium for the files of this run, which wait for it. */
export async function shareChromium(): Promise<void> {
  const folder = unpackChromium();
  process.env[variable] = 'true';
  await folder;
}

/**
 * Unpacks the Chromium of `@sparticuz/chromium` once for all tests and returns its folder. The package unpacks into
 * the temporary folder without a lock, where a second process may start an executable that is still being written. It
 * therefore unpacks into a folder of its own here, which gets its final name in one step.
 */
export async function unpackChromium(): Promise<string> {
  while (!existsSync(unpacked) && process.env[variable] !== undefined) await pause(100);
  if (existsSync(unpacked)) return unpacked;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, 'unpacking-'));
  try {
    // The package reads the temporary folder and the name of the runtime, which decides whether its libraries come too.
    const env = { ...process.env, TMPDIR: scratch, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
    await promisify(execFile)(process.execPath, [import.meta.filename], { env });
    await rename(scratch, unpacked);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(unpacked)) throw error;
  }
  return unpacked;
}

const variable = 'TEST_CHROMIUM';

/** `npm ci` removes it, so that it always belongs to the installed version. */
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');
const unpacked = join(cache, 'chromium');

if (import.meta.main) await chromium.executablePath();
