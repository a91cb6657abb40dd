import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LoadReport } from '../src/ingest/load/load.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import { benchData } from './bench-data.ts';

/**
 * Loads all data files of a folder with the command line, then opens the snapshot. Linux only: it reads /proc.
 */
const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: bench/load.ts FOLDER');
rmSync(benchData, { recursive: true, force: true });

const root = resolve(import.meta.dirname, '..');
const child = spawn(resolve(root, 'maru'), ['load', folder, '--json'], {
  env: { ...process.env, MARU_DATA: benchData },
  stdio: ['ignore', 'pipe', 'ignore'],
});
let peakKb = 0;
const sampling = setInterval(() => {
  peakKb = Math.max(peakKb, statusKb(child.pid!, 'VmHWM'));
}, 50);
const chunks: Buffer[] = [];
for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
clearInterval(sampling);
const report = JSON.parse(Buffer.concat(chunks).toString()) as LoadReport;

const started = performance.now();
await using store = new SnapshotStore(benchData, currentId(benchData)!);
const openMs = performance.now() - started;

process.stdout.write(
  [
    `axes            ${report.axes.length}`,
    `rows            ${report.rows}`,
    `rows a second   ${Math.round((report.rows / report.elapsedMs) * 1000)}`,
    `peak memory     ${Math.round(peakKb / 1024)} MB`,
    `opening         ${Math.round(openMs)} ms`,
    `memory, opened  ${Math.round(statusKb(process.pid, 'VmRSS') / 1024)} MB`,
    `index           ${Math.round(store.snapshot.indexBytes / 1e6)} MB`,
    '',
  ].join('\n'),
);

function statusKb(pid: number, name: string): number {
  try {
    const match = new RegExp(`${name}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    );
    return Number(match?.[1] ?? 0);
  } catch {
    // The process has just ended.
    return 0;
  }
}
