import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heapFlags } from './heap-flags.ts';

/**
 * Collects a catalog of the real one's size (2026-09: 96,110 listed datasets, 262,684 LINKED) from a sample portal
 * in a process of its own: the first time, again beside the stored catalog, and from the stored responses.
 */
const catalog = { FILE: 80_000, API: 16_000, STD: 110, LINKED: 262_684 };
const data = mkdtempSync(join(tmpdir(), 'maru-catalog-'));
const portal = spawn(
  process.execPath,
  [join(import.meta.dirname, 'sample-portal.ts'), JSON.stringify({ catalog })],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  const [url] = (await once(portal.stdout, 'data')) as [Buffer];
  await collect('first', url.toString().trim());
  await collect('again', url.toString().trim());
  await collect('stored responses', '-');
} finally {
  portal.kill('SIGTERM');
  await once(portal, 'close');
  rmSync(data, { recursive: true });
}

async function collect(how: string, from: string): Promise<void> {
  process.stdout.write(`${how}: `);
  const child = spawn(
    process.execPath,
    [...heapFlags, join(import.meta.dirname, 'catalog-once.ts'), data, from],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`The collection ended with ${code}.`);
}
