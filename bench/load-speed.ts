import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Compares the processor time of loading files by `maru`, start included, with that in another checkout of this
 * repository, whose dependencies are installed. Both load each file in turn, so that other work on the machine meets
 * both alike. Prints rows for each second of processor, peak memory, the median of the ratios and the ratio of the
 * quickest loads: `node bench/load-speed.ts OTHER_CHECKOUT ROUNDS FILE...`.
 */
const [other, rounds, ...files] = process.argv.slice(2);
if (other === undefined || rounds === undefined || files.length === 0) {
  throw new Error('Usage: bench/load-speed.ts OTHER_CHECKOUT ROUNDS FILE...');
}
const checkouts = [resolve(import.meta.dirname, '..'), resolve(other)] as const;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
// Loaded before the program, and again in each thread of it; the time of a process includes its threads.
const measuring = `
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, peakKb: process.resourceUsage().maxRSS }));
  });
`;
try {
  for (const file of files) {
    const pairs = Array.from({ length: Number(rounds) }, (_, round) => {
      // The first of a pair changes, because a pause of the machine often begins with a pair.
      const order: readonly (0 | 1)[] = round % 2 === 0 ? [0, 1] : [1, 0];
      const loads = new Map(order.map((side) => [side, loadOnce(checkouts[side], file)]));
      return [loads.get(0)!, loads.get(1)!] as const;
    });
    const ratios = pairs.map(([here, there]) => here.seconds / there.seconds);
    const [low, middle, high] = spread(ratios).map((ratio) => ratio.toFixed(2));
    const [here, there] = [0, 1].map((side) => pairs.map((pair) => pair[side]!));
    const quickest = fewestSeconds(here!) / fewestSeconds(there!);
    process.stdout.write(`${file}\n  here  ${describe(here!)}\n  other ${describe(there!)}\n`);
    process.stdout.write(
      `  processor ${middle} (${low}–${high}), quickest ${quickest.toFixed(2)}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Load {
  readonly rows: number;
  readonly seconds: number;
  readonly peakKb: number;
}

/** Loads a file into a folder of its own. No side waits for what the other left to the disk. */
function loadOnce(checkout: string, file: string): Load {
  const data = mkdtempSync(join(folder, 'data-'));
  const preload = `data:text/javascript,${encodeURIComponent(measuring)}`;
  const { status, stdout, output } = spawnSync(join(checkout, 'maru'), ['load', file, '--json'], {
    env: { ...process.env, NODE_OPTIONS: `--import ${preload}`, MARU_DATA: data },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`The load of ${file} by ${checkout} ended with ${status}.`);
  const { rows } = JSON.parse(stdout.toString()) as { rows: number };
  const { seconds, peakKb } = JSON.parse(output[3]!.toString()) as Omit<Load, 'rows'>;
  rmSync(data, { recursive: true });
  return { rows, seconds, peakKb };
}

function describe(loads: readonly Load[]): string {
  const [, seconds] = spread(loads.map((load) => load.seconds));
  const [, , peakKb] = spread(loads.map((load) => load.peakKb));
  const { rows } = loads[0]!;
  return `${rows} rows, ${Math.round(rows / seconds)} a second of processor, peak ${Math.round(peakKb / 1024)} MB`;
}

function fewestSeconds(loads: readonly Load[]): number {
  return Math.min(...loads.map((load) => load.seconds));
}

/** The lowest, the middle and the highest of some numbers. */
function spread(numbers: readonly number[]): [low: number, middle: number, high: number] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!];
}
