import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serveMaru, type ServingMaru } from '../test/end-to-end/run-maru.ts';
import { heapFlags } from './heap-flags.ts';
import { familyMicroseconds, processorMicroseconds } from './process-facts.ts';
import { load } from './wrk.ts';

/**
 * Lookups by one process and by several on one port, in turn in one run: `node bench/processes.ts DATA [PROCESSES]
 * [ROUNDS]`. Rates are requests for each second of a core, so that the client's share of the cores does not count: with
 * several processes, of the busiest of them, or of all of their cores if the process that started them needs more. Needs
 * wrk; Linux only.
 */
const [data, processes = '2', rounds = '5'] = process.argv.slice(2);
if (data === undefined) throw new Error('Usage: bench/processes.ts DATA [PROCESSES] [ROUNDS]');
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
const program = resolve(import.meta.dirname, '../bin/maru.ts');
const command = [process.execPath, ...heapFlags, program] as const;
try {
  await using one = await serveMaru(data, {}, ['web'], command);
  await using several = await serveMaru(data, {}, ['web', '--processes', processes], command);
  for (const [name, path] of await pathsOf(one.address)) {
    const pairs: [one: number, several: number][] = [];
    // The first round compiles code.
    for (let round = 0; round <= Number(rounds); round++) {
      const pair: [number, number] = [await rateOf(one, path), await rateOf(several, path)];
      if (round > 0) pairs.push(pair);
    }
    const ratios = pairs.map(([single, shared]) => shared / single).toSorted((a, b) => a - b);
    const middle = ratios[ratios.length >> 1]!;
    process.stdout.write(
      `${name.padEnd(18)} ${processes} processes ${middle.toFixed(2)} times one (${ratios[0]!.toFixed(2)}–${ratios.at(-1)!.toFixed(2)})\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function pathsOf(address: string): Promise<ReadonlyMap<string, string>> {
  const { items } = (await (await fetch(`${address}/api/axes`)).json()) as {
    readonly items: readonly { readonly code: string; readonly rows: number }[];
  };
  const { code } = items.toSorted((a, b) => b.rows - a.rows)[0]!;
  return new Map([
    ['page of 20 rows', `/api/data/axis?axis=${code}&limit=20`],
    ['search', `/api/data/search?q=${encodeURIComponent('서울 도서관')}`],
    ['page of a dataset', `/data/${code}`],
  ]);
}

async function rateOf({ address, process: { pid } }: ServingMaru, path: string): Promise<number> {
  const seconds = 3;
  const children = childrenOf(pid!);
  const before = children.map(processorMicroseconds);
  const allBefore = familyMicroseconds(pid!);
  const { perSecond } = await load({ url: address + path, headers: {}, seconds, folder });
  const used = children.map((child, at) => processorMicroseconds(child) - before[at]!);
  const all = familyMicroseconds(pid!) - allBefore;
  const busiest = Math.max(all / Math.max(children.length, 1), ...used);
  return (perSecond * seconds) / busiest;
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return (text.match(/\d+/g) ?? []).map(Number);
}
