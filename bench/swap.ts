import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sampleKey } from '../sample/keys.ts';
import { benchData } from './bench-data.ts';

/**
 * Refreshes small axes in the snapshot of `bench/load.ts` again and again while a server answers from it:
 * how long a publication takes, and whether any answer was an error or mixed two snapshots.
 */
const rounds = 5;
const readers = 8;
const data = process.argv[2] ?? benchData;
const port = 39_271;
const folder = mkdtempSync(join(tmpdir(), 'maru-swap-'));
const program = resolve(import.meta.dirname, '../bin/maru.ts');

/** Marks by snapshot: a snapshot has one mark, and all its rows have it. */
const markOf = new Map<string, string>();
const rowsOf = new Map<string, number>();
const latencies: number[] = [];
const faults: string[] = [];
const end = new AbortController();

await maru(['load', markedFile(0)]);
const portal = spawn(
  process.execPath,
  [
    join(import.meta.dirname, 'sample-portal.ts'),
    JSON.stringify({ scale: { std_library: 2_000 } }),
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [url] = (await once(portal.stdout, 'data')) as [Buffer];
const gateway = url.toString().trim();
await maru(['collect', 'nec_code']);
const server = spawn(process.execPath, [program, 'serve', 'lookup'], {
  env: environment({ PORT: String(port), ADMIN_PORT: String(port + 1) }),
  stdio: 'ignore',
});
await ready();
const clients = Array.from({ length: readers }, (_, reader) => runClient(reader));
const loads: number[] = [];
const collections: number[] = [];
for (let round = 1; round <= rounds; round++) {
  loads.push(await maru(['load', markedFile(round)]));
  collections.push(await maru(['collect', 'nec_code']));
}
await untilAnswered(rounds);
end.abort();
await Promise.all(clients);
for (const child of [server, portal]) {
  child.kill('SIGTERM');
  await once(child, 'close');
}
rmSync(folder, { recursive: true });

latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)]!.toFixed(1);
process.stdout.write(
  [
    `rows held                 ${Math.max(...rowsOf.values())}`,
    `collecting a small axis   ${secondsOf(collections)} s, all of the command`,
    `loading a small file      ${secondsOf(loads)} s, all of the command`,
    `snapshots answered from   ${rowsOf.size}`,
    `answers                   ${latencies.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(0.99999)} ms`,
    `errors and mixed answers  ${faults.length}${faults
      .slice(0, 3)
      .map((fault) => `\n  ${fault}`)
      .join('')}`,
    '',
  ].join('\n'),
);
if (faults.length > 0) process.exitCode = 1;

/** A file of 2,000 rows that all name their round. */
function markedFile(round: number): string {
  const path = join(folder, 'file_990009999.csv');
  const rows = Array.from({ length: 2_000 }, (_, row) => `${row},판${round},갱신되는 기록`);
  writeFileSync(path, `번호,판,이름\n${rows.join('\n')}\n`);
  return path;
}

/** Runs a command and returns its milliseconds. */
async function maru(words: string[]): Promise<number> {
  const started = performance.now();
  const collects = words[0] === 'collect';
  const child = spawn(process.execPath, [program, ...words], {
    env: environment(collects ? { MARU_SERVICE_KEY: sampleKey, MARU_PORTAL_GATEWAY: gateway } : {}),
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`maru ${words.join(' ')} ended with ${code}.`);
  return performance.now() - started;
}

function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, MARU_DATA: data, MARU_LOG: 'error', ...more };
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((wait) => setTimeout(wait, 50));
  }
  throw new Error('The server did not come up.');
}

interface Answer {
  readonly items?: readonly (Record<string, unknown> & {
    readonly record?: Record<string, unknown>;
  })[];
  readonly total?: number;
  readonly rows?: { readonly total: number };
  readonly snapshot?: { readonly id: string };
  readonly meta?: { readonly snapshot: string };
}

async function runClient(reader: number): Promise<void> {
  const paths = [
    (turn: number) => `/api/data/axis?axis=file_990009999&limit=100&offset=${(turn * 37) % 1_900}`,
    () => `/api/data/search?q=${encodeURIComponent('갱신되는')}&axis=file_990009999&limit=50`,
    () => '/api/stats',
    () => `/api/data/search?q=${encodeURIComponent('서울 주차장')}&limit=20`,
  ];
  for (let turn = reader; !end.signal.aborted; turn++) {
    const path = paths[turn % paths.length]!(turn);
    const started = performance.now();
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      const body = await response.text();
      latencies.push(performance.now() - started);
      if (response.status === 200) check(path, JSON.parse(body) as Answer);
      else faults.push(`${response.status} ${path}`);
    } catch (error) {
      faults.push(`${String(error)} ${path}`);
    }
  }
}

function check(path: string, { items, total, rows, snapshot, meta }: Answer): void {
  const id = snapshot?.id ?? meta?.snapshot ?? '';
  if (rows !== undefined) agree(rowsOf, id, rows.total, path);
  if (!path.includes('990009999')) return;
  if (total !== 2_000) faults.push(`${total} records in ${id}: ${path}`);
  for (const item of items ?? []) agree(markOf, id, String((item.record ?? item)['판']), path);
}

/** Adds a fault if the snapshot had another value before. */
function agree<V>(valueById: Map<string, V>, id: string, value: V, path: string): void {
  const before = valueById.get(id);
  if (before === undefined) valueById.set(id, value);
  else if (before !== value)
    faults.push(`${String(before)} and ${String(value)} in ${id}: ${path}`);
}

/** Waits until an answer had the mark of a round. */
async function untilAnswered(round: number): Promise<void> {
  while (![...markOf.values()].includes(`판${round}`)) {
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

function secondsOf(times: readonly number[]): string {
  const low = Math.min(...times) / 1_000;
  const high = Math.max(...times) / 1_000;
  return `${low.toFixed(1)}–${high.toFixed(1)}`;
}
