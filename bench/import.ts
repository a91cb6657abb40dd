import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { openMembers } from '../bin/open-members.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { declarePlatforms } from '../src/members/platforms.ts';
import { register } from '../src/members/register.ts';
import { heapFlags } from './heap-flags.ts';
import { peakMegabytes, processorMicroseconds } from './process-facts.ts';

/**
 * `./maru member import` of a file, while another process registers a user each 20 ms in the same store:
 * `node bench/import.ts [ROWS] [alone]`. Prints rows a second, processor time, peak memory, and the time of those
 * registrations; then the same for the same file again, which changes nothing.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const isAlone = process.argv[3] === 'alone';
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  const file = join(folder, 'members.ndjson');
  writeRows(file);
  await using opened = await openMembers({ MARU_DATA: folder });
  const { context } = opened;
  const platforms = readPlatformConfiguration({
    platforms: [{ code: 'books' }, { code: 'music' }],
  });
  await declarePlatforms(context, platforms, { actor: 'system', reason: 'a benchmark' });
  const platform = await context.platforms.byCode('music');
  const caller = { kid: 'bench', platform, scopes: [] };
  for (const name of ['new rows', 'known rows']) {
    const controller = new AbortController();
    const waits = isAlone ? Promise.resolve([]) : registrations(controller.signal);
    print(`${name}: ${await importFile(file)}`);
    controller.abort();
    const sorted = (await waits).toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
    if (!isAlone) {
      print(
        `  ${sorted.length} registrations beside it: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`,
      );
    }
  }

  async function registrations(signal: AbortSignal): Promise<readonly number[]> {
    const waits: number[] = [];
    while (!signal.aborted) {
      const email = `beside${performance.now()}@example.com`;
      const before = performance.now();
      await register(context, caller, { email, platform: 'music', local_user_id: email });
      waits.push(performance.now() - before);
      await delay(20);
    }
    return waits;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function importFile(file: string): Promise<string> {
  const started = performance.now();
  const words = ['member', 'import', file, '--platform', 'books', '--json'];
  const child = spawn(process.execPath, [...heapFlags, join(root, 'bin/maru.ts'), ...words], {
    env: { ...process.env, MARU_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  let [processor, peak] = [0, 0];
  const sampling = setInterval(() => {
    // The process may have ended.
    try {
      [processor, peak] = [processorMicroseconds(child.pid!), peakMegabytes(child.pid!)];
    } catch {}
  }, 50);
  await once(child, 'exit');
  clearInterval(sampling);
  const { created, known } = JSON.parse(await output) as Record<string, number>;
  const seconds = (performance.now() - started) / 1000;
  return `${created} new and ${known} known in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows a second; processor ${(processor / 1e6).toFixed(1)} s, ${(processor / rows).toFixed(1)} µs a row; peak memory ${peak} MB`;
}

/** Rows as a platform exports them: an address, an id, a flag and some details. */
function writeRows(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let from = 0; from < rows; from += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, rows - from) }, (_, at) => {
      const id = from + at;
      const extra = { plan: id % 3 === 0 ? 'monthly' : 'free', since: 2015 + (id % 10) };
      const email = `user.${id}@example.com`;
      return JSON.stringify({ email, local_user_id: `${id}`, email_verified: true, extra });
    });
    writeSync(descriptor, `${lines.join('\n')}\n`);
  }
  closeSync(descriptor);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
