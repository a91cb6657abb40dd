import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { sampleKey } from '../../sample/keys.ts';
import { startSamplePortal } from '../../sample/portal.ts';
import { runLine } from '../end-to-end/run-maru.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { assertInstalled, pythonPath } from '../needed-program.ts';
import { curlCallsIn, sendCurlCall } from './curl-calls.ts';
import { shellParts, type ShellPart } from './shell-parts.ts';
import type { Runtime } from './sample-list.ts';

const root = resolve(import.meta.dirname, '../..');
const program = join(root, 'maru');

/** Maru after the quick start, on free ports and in an empty folder. */
export interface TriedService extends AsyncDisposable {
  readonly address: string;
  /** Runs a sample and returns what it printed to standard output and error. Throws if it fails. */
  run(sample: string, runtime: Runtime, place?: { readonly stopped?: true }): Promise<string>;
  /** Sends the calls of curl in a shell sample and returns their statuses. */
  sendCalls(sample: string): Promise<readonly number[]>;
  /** Posts to the members service with the key of `demo`. */
  post(path: string, body: object): Promise<{ readonly body: unknown; readonly cookies: string[] }>;
  /** The values that samples call `$SVC_UID` and `$TOKEN`. */
  readonly variables: Record<string, string>;
}

export async function startTriedService(): Promise<TriedService> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  layOutFiles(folder);
  const data = join(folder, 'var');
  await copyFirstStart(data);
  const portal = stack.use(await startSamplePortal());
  const [port, adminPort] = [await freePort(), await freePort()];
  const environment = {
    ...ownEnvironment(),
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    MARU_DATA: data,
    MARU_PORTAL_GATEWAY: portal.url,
    MARU_LOG: 'silent',
  };
  const child = spawn(program, ['serve'], { env: environment, cwd: folder });
  stack.defer(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  child.stdout.resume();
  const key = await demoKey(child.stderr);
  const variables: Record<string, string> = {
    KEY: key,
    MARU_URL: `http://localhost:${port}`,
    MARU_API_KEY: key,
    MARU_PLATFORM: 'demo',
    MARU_ORIGIN: `http://localhost:${port}`,
    MARU_OUTBOX: join(folder, 'maru-outbox'),
  };
  const localised = (text: string): string =>
    text
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${adminPort}`)
      .replaceAll(/\.\/maru(?!\.)/g, program)
      .replaceAll('MARU_SERVICE_KEY=…', `MARU_SERVICE_KEY='${sampleKey}'`)
      // The first file dataset of the sample portal.
      .replaceAll('file_15063424', 'file_990000001');
  const running = stack.move();
  return {
    address: `http://127.0.0.1:${port}`,
    variables,
    async run(sample, runtime, { stopped } = {}) {
      const own = stopped ? { MARU_DATA: join(folder, 'stopped') } : {};
      const place = { folder, environment: { ...environment, ...variables, ...own } };
      const text = localised(sample);
      // The long form runs each sample as it stands; the short form runs it without a shell.
      if (runtime !== 'commands') return runScript(text, runtime, place);
      if (isLongForm) return runScript(text, 'bash', place);
      let output = '';
      for (const part of shellParts(text, program, variables)) output += await runPart(part, place);
      return output;
    },
    async sendCalls(sample) {
      const statuses: number[] = [];
      for (const call of curlCallsIn(localised(sample), variables)) {
        statuses.push((await sendCurlCall(call, folder)).status);
      }
      return statuses;
    },
    async post(path, body) {
      const response = await fetch(`http://localhost:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': variables['KEY']! },
        body: JSON.stringify(body),
      });
      assert.equal(response.ok, true, path);
      return { body: await response.json(), cookies: response.headers.getSetCookie() };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** A runtime that is a program by itself. */
type Program = Exclude<Runtime, 'commands'>;

/** The folder and the environment that a sample runs in. */
interface SamplePlace {
  readonly folder: string;
  readonly environment: Record<string, string | undefined>;
}

async function runScript(
  script: string,
  runtime: Program,
  { folder, environment }: SamplePlace,
): Promise<string> {
  const file = join(folder, fileNames[runtime]);
  writeFileSync(file, script);
  const args = [...(flags[runtime] ?? []), file];
  const options = { cwd: folder, env: environment, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(commandOf(runtime), args, options);
  return stdout + stderr;
}

function commandOf(runtime: Program): string {
  if (runtime === 'node') return process.execPath;
  if (runtime === 'python3') return pythonPath();
  assertInstalled(runtime);
  return runtime;
}

async function runPart(part: ShellPart, { folder, environment }: SamplePlace): Promise<string> {
  if ('call' in part) return (await sendCurlCall(part.call, folder)).text;
  if ('file' in part) {
    writeFileSync(join(folder, part.file), part.text);
    return '';
  }
  const line = { words: part.words, folder, environment: { ...environment, ...part.settings } };
  const { status, output, errors } = await runLine(line);
  assert.equal(status, 0, errors);
  return output + errors;
}

/** Flags of the runtimes. Node loads the sources of the client package, since nothing is built in this tree. */
const flags: Readonly<Partial<Record<Program, readonly string[]>>> = {
  bash: ['-eu'],
  node: ['--conditions=maru-source'],
};

const fileNames: Readonly<Record<Program, string>> = {
  bash: 'sample.sh',
  node: 'sample.mjs',
  python3: 'sample.py',
  php: 'sample.php',
  ruby: 'sample.rb',
  Rscript: 'sample.R',
};

/** The files that samples name as the reader’s own. */
function layOutFiles(folder: string): void {
  const fixtures = join(root, 'test/fixtures');
  cpSync(join(fixtures, 'catalog/목록개방현황 20260731.csv'), join(folder, '목록개방현황.csv'));
  cpSync(join(fixtures, 'demand/measurements.json'), join(folder, 'ranking.json'));
  writeFileSync(join(folder, 'sigungu.json'), oneDistrict);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const path of ['python/maru.py', 'php/Maru.php', 'ruby/maru.rb', 'sh/maru.sh']) {
    cpSync(join(root, 'examples', path), join(folder, basename(path)));
  }
  mkdirSync(join(folder, 'downloads'));
  mkdirSync(join(folder, 'stopped', 'members'), { recursive: true });
  const file = join(folder, 'downloads', 'file_15099002.csv');
  writeFileSync(file, '이름,소재지\n한마음 도서관,서울특별시 중구 세종대로 1\n');
}

const oneDistrict = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { SIG_CD: '11680', SIG_KOR_NM: '강남구' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [127, 37.5],
            [127.1, 37.5],
            [127, 37.6],
            [127, 37.5],
          ],
        ],
      },
    },
  ],
});

/** Reads the key of `demo`, which a service prints when it is up, and only for a data folder without members. */
export async function demoKey(output: Readable, limit = AbortSignal.timeout(120_000)) {
  let text = '';
  try {
    for await (const part of addAbortSignal(limit, output)) {
      text += String(part);
      const key = /shown once: +(svck_\S+)\s/.exec(text)?.[1];
      if (key !== undefined) return key;
    }
  } catch (error) {
    if (!limit.aborted) throw error;
    const message = `No key was printed in time. Start with a data folder without members:\n${text}`;
    throw new Error(message, { cause: error });
  }
  throw new Error(`The service ended before it printed its key:\n${text}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment without settings of Maru. */
function ownEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(MARU_|ADMIN_PORT$|PORT$|HOST$)/.test(name),
  );
  return Object.fromEntries(kept);
}
