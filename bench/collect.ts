import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CollectionCost } from './collect-once.ts';
import { heapFlags } from './heap-flags.ts';

/**
 * Collects a million records of one axis from a sample portal in a process of its own, at the pace of the
 * real portal and as fast as it goes, then reads the stored responses again: `bench/collect.ts [CODE] [RECORDS] [xml]`.
 */
const [code = 'tago_busstops', records = '1000000', format = 'json'] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'maru-collect-'));
const portal = spawn(
  process.execPath,
  [
    join(import.meta.dirname, 'sample-portal.ts'),
    JSON.stringify({ scale: { [code]: Number(records) } }),
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [url] = (await once(portal.stdout, 'data')) as [Buffer];
const gateway = url.toString().trim();
const lines: string[] = [];
try {
  note('at 20 calls a second', await collect('paced', gateway, 20));
  note('as fast as it goes', await collect('free', gateway, 100_000));
  note('the stored responses again', await collect('free', '-', 1));
} finally {
  portal.kill('SIGTERM');
  await once(portal, 'close');
  rmSync(data, { recursive: true });
}
process.stdout.write(`${lines.join('\n')}\n`);

async function collect(name: string, from: string, perSecond: number): Promise<CollectionCost> {
  const child = spawn(
    process.execPath,
    [
      ...heapFlags,
      join(import.meta.dirname, 'collect-once.ts'),
      join(data, name),
      from,
      code,
      String(perSecond),
      format,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as CollectionCost;
}

function note(
  how: string,
  { rows, fetchMs, fetchCpuMs, wholeMs, cpuMs, peakMb }: CollectionCost,
): void {
  const share = Math.round((fetchCpuMs / fetchMs) * 100);
  lines.push(
    `${how}: ${rows} rows, fetching ${seconds(fetchMs)} s (${share} % of a processor), all ${seconds(wholeMs)} s ` +
      `(${Math.round((rows / wholeMs) * 1_000)} rows a second; processor ${seconds(cpuMs)} s), peak ${Math.round(peakMb)} MB`,
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
