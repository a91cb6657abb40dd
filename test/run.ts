import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, freemem, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { shareChromium } from './browser/unpack-chromium.ts';
import { killDescendants } from './descendants.ts';
import { shareFirstStart } from './fixtures/first-start.ts';
import { memberTestsOnPostgres } from './postgres/member-tests.ts';
import { sharePostgres } from './postgres/server.ts';

/**
 * Runs the tests: `node test/run.ts [--long] [files]`, all of them without files. `--long` is the long form
 * (long-form.ts).
 */
const root = resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);
const patterns = words.filter((word) => word !== '--long');
const everyFile = '{bin,sample,src,test}/**/*.test.ts';
const isLong = words.includes('--long');
// The hooks of other languages run in programs that npm does not install.
const exclude = isLong || patterns.length > 0 ? [] : ['test/hooks/**'];
const files = globSync(patterns.length > 0 ? patterns : everyFile, { cwd: root, exclude });
if (files.length === 0) throw new Error(`No file matches ${patterns.join(' ')}.`);

const temporary = mkdtempSync(join(temporaryBase(), 'maru-tests-'));
// The server of PostgreSQL has a user of its own if the tests run as root.
chmodSync(temporary, 0o711);
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
process.env['TMPDIR'] = temporary;
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled');
const untrackedResources = pathToFileURL(join(import.meta.dirname, 'untracked-resources.ts')).href;
if (isLong) process.env['TEST_LONG'] = '1';

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killDescendants();
    process.exit(128 + constants.signals[signal]);
  });
}

const firstStart = patterns.length === 0 ? shareFirstStart(temporary) : null;
const chromium = shareChromium();
const isPostgresUsed = patterns.length === 0 || process.env['TEST_MEMBERS_STORE'] === 'postgres';
const postgres = isPostgresUsed ? sharePostgres(temporary) : null;
run({
  files: patterns.length > 0 && !isLong ? files.map((file) => resolve(root, file)) : allPrograms(),
  // A program spends a fifth of its time waiting for processes that it started.
  concurrency: availableParallelism() + 4,
  execArgv: [
    `--test-timeout=${isLong ? 3_600_000 : 300_000}`,
    // More threads for garbage collection would only take processor time from the programs beside this one.
    '--single-threaded-gc',
    '--min-semi-space-size=16',
    ...(patterns.length > 0 ? [] : [`--import=${untrackedResources}`]),
  ],
})
  .on('test:fail', () => (process.exitCode = 1))
  .once('end', () => void postgres?.then((server) => server[Symbol.asyncDispose]()))
  .compose(spec)
  .pipe(process.stdout);
await Promise.all([firstStart, chromium]);

/** Writes a program for each part: one for each file would load and compile the same imports again. */
function allPrograms(): string[] {
  // Compiled modules are stored as soon as they are loaded, so that processes of the tests need not compile them.
  const storeCompiled = `import { flushCompileCache } from 'node:module';\nflushCompileCache();\n`;
  const choosePostgres = "data:text/javascript,process.env.TEST_MEMBERS_STORE='postgres'";
  const onPostgres = 'src/members-on-postgres';
  const parts: Partial<Record<string, string[]>> = Object.groupBy(files, partOf);
  if (patterns.length === 0) parts[onPostgres] = [...memberTestsOnPostgres(isLong)];
  return Object.keys(parts)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .flatMap((part) =>
      programsOf(part, parts[part]!.toSorted()).map(({ share, own }, at) => {
        // In JavaScript, because Node would load its compiler to remove types, for each of them.
        const program = join(temporary, `${part.replaceAll('/', '-')}-${at + 1}.test.mjs`);
        const setShare = `data:text/javascript,process.env.TEST_SHARE='${share}'`;
        const chosen = part === onPostgres ? [choosePostgres] : [];
        const urls = own.map((file) => pathToFileURL(resolve(root, file)).href);
        const imports = [setShare, ...chosen, ...urls].map((url) => `import "${url}";\n`);
        writeFileSync(program, imports.join('') + storeCompiled);
        return program;
      }),
    );
}

/**
 * Programs of a part. The two parts that take longest are halved. In the long form a file of many minutes is shared
 * among the cores.
 */
function programsOf(part: string, own: readonly string[]) {
  if (/^test\/(?:harvest|members)$/.test(part)) {
    return [0, 1].map((half) => ({ share: '1/1', own: own.filter((_, at) => at % 2 === half) }));
  }
  const count = isLong && part === 'test/members/account-sequences.test.ts' ? 4 : 1;
  return Array.from({ length: count }, (_, at) => ({ share: `${at + 1}/${count}`, own }));
}

/**
 * The folder of a test, such as `src/lookup`. Five small ones load much the same and are one part. Of the collections
 * those of whole commands are a part of their own, those under faults another, and the first start belongs to the
 * journeys. In the long form each file of `test/` is one, so that hours are shared among the cores.
 */
function partOf(file: string): string {
  if (isLong && file.startsWith('test/')) return file;
  const [folder] = /^(?:(?:src|test)\/[\w-]+(?=\/)|\w+)/.exec(file)!;
  if (/^src\/(?:admin|agents|contract|kernel)$/.test(folder)) return 'src/web';
  if (folder !== 'test/harvest') return folder;
  if (file.includes('first-start')) return 'test/end-to-end';
  if (/command|kill/.test(file)) return `${folder}/commands`;
  return file.includes('fault') ? `${folder}/faults` : folder;
}

/**
 * Parts that take longest begin first, so that a run does not end with one of them alone. Those that wait for the first
 * start follow when it is complete.
 */
function rankOf(part: string): number {
  const longest = 'test/members test/browser test/harvest src/members src/lookup src/ingest';
  const order = `${longest} test/docs test/end-to-end test/agents src/web test/sdk`.split(' ');
  const rank = order.findIndex((first) => part.startsWith(first));
  return rank === -1 ? order.length : rank;
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
