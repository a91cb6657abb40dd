import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { unpackChromium } from './browser/unpack-chromium.ts';
import { shareFirstStart } from './fixtures/first-start.ts';

/**
 * Runs the tests: `node test/run.ts [--long] [files]`, all of them without files. `--long` is the long form
 * (long-form.ts).
 */
const root = resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);
const patterns = words.filter((word) => word !== '--long');
const everyFile = '{bin,sample,src,test}/**/*.test.ts';
const files = globSync(patterns.length > 0 ? patterns : everyFile, { cwd: root });
if (files.length === 0) throw new Error(`No file matches ${patterns.join(' ')}.`);

const temporary = mkdtempSync(join(temporaryBase(), 'maru-tests-'));
// A test that drops the rights of root must still reach its folder.
chmodSync(temporary, 0o711);
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
process.env['TMPDIR'] = temporary;
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
if (words.includes('--long')) process.env['TEST_LONG'] = '1';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

await Promise.all([unpackChromium(), shareFirstStart(temporary)]);
run({
  files: files.toSorted((a, b) => rankOf(a) - rankOf(b)).map((file) => resolve(root, file)),
  // Many files wait for processes that they started.
  concurrency: availableParallelism() + 2,
  execArgv: ['--test-timeout=300000'],
  signal: stop.signal,
})
  .on('test:fail', () => (process.exitCode = 1))
  .compose(spec)
  .pipe(process.stdout);

/** Parts that take longest begin first, so that a run does not end with one of them alone. */
function rankOf(file: string): number {
  const longestFirst = ['docs/samples', 'harvest', 'end-to-end', 'browser', 'docs', 'members'];
  const rank = longestFirst.findIndex((part) => file.startsWith(`test/${part}`));
  return rank === -1 ? longestFirst.length : rank;
}

/** A folder in memory where the machine has room for it: a run syncs thousands of small files. */
function temporaryBase(): string {
  const memory = '/dev/shm';
  const roomBytesMin = 4 * 1024 ** 3;
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) >= roomBytesMin ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
