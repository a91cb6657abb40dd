import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../src/data/korean/terms.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { currentId, readManifest, snapshotFolder } from '../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { benchData } from './bench-data.ts';
import { axesIn, cloneAxes, cloneAxis } from './cloned-axes.ts';
import { heapFlags } from './heap-flags.ts';

/**
 * Many small axes: clones of the small axes of a snapshot, each with other texts. Measures the opening, descriptors and
 * memory, a page, searches over all axes, and the refresh of one axis. The first process starts with a disk that has
 * nothing of the packs in memory (Linux), the second with all of it there.
 *
 *     node bench/many-axes.ts AXES [DATA] [TARGET]
 *
 * DATA is a data folder with small axes, by default that of `bench/load.ts`; TARGET a folder for the clones that is
 * kept, by default a temporary one. 100,000 axes take 11 GB.
 */
const commonWords =
  '서울 경기도 서울특별시 강남구 주차장 도서관 어린이집 부산광역시 길 동 중구 센터'.split(' ');

const [axes = '1000', source = benchData, target] = process.argv.slice(2);
if (axes === 'open') await measure(source);
else {
  const data = target ?? mkdtempSync(join(tmpdir(), 'maru-many-axes-'));
  const started = performance.now();
  cloneAxes(source, Number(axes), data);
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(
    `${axesIn(data)} axes, cloned in ${seconds.toFixed(1)} s: ${filesIn(data)}\n`,
  );
  for (const disk of ['cold', 'warm']) {
    process.stdout.write(`opened in a process of its own, ${disk} disk:\n`);
    if (disk === 'cold') forgetFiles(data);
    spawnSync(process.execPath, [...heapFlags, import.meta.filename, 'open', data], {
      stdio: 'inherit',
    });
  }
  refresh(data);
  if (target === undefined) rmSync(data, { recursive: true });
}

/** Drops the packs and the manifest of the current snapshot from the memory of the system. */
function forgetFiles(data: string): void {
  const folder = snapshotFolder(data, currentId(data)!);
  const packs = readdirSync(join(folder, 'packs')).map((name) => join('packs', name));
  for (const name of ['manifest.json', ...packs])
    spawnSync('dd', [`if=${join(folder, name)}`, 'iflag=nocache', 'count=0']);
}

/** Opens the snapshot of a folder and measures. */
async function measure(data: string): Promise<void> {
  const started = performance.now();
  await using store = new SnapshotStore(data, currentId(data)!);
  const openMs = performance.now() - started;
  const { user, system } = process.cpuUsage();
  const processor = `${Math.round((user + system) / 1000)} ms of processor with the start`;
  report('opened', `${openMs.toFixed(0)} ms, ${processor}, ${store.axes.size} axes`);
  report('after opening', facts());
  await searches(store);
}

async function searches(store: SnapshotStore): Promise<void> {
  const codes = [...store.axes.keys()];
  await times('page of 20 rows', codes.slice(0, 2_000), (code) =>
    store.page(code, { offset: 0, limit: 20 }),
  );
  const find = (text: string) => store.search({ ...parseQuery(text), offset: 0, limit: 10 });
  const nowhere = Array.from({ length: 200 }, (_, at) => `뷁쉛${String.fromCharCode(0xd6ff + at)}`);
  await times('a word that is nowhere', nowhere, find);
  await times('first common word', ['서울'], find);
  const { hits } = await find('서울');
  const common = new Set(commonWords);
  for (const { record } of hits) {
    for (const word of record.toString().match(/[가-힣]{2,3}/g) ?? []) common.add(word);
  }
  const longer = new Set(['서울특별시', '부산광역시', '어린이집']);
  for (const { record } of hits) {
    for (const word of record.toString().match(/[가-힣]{4,8}/g) ?? []) longer.add(word);
  }
  await times('common words', [...common], find);
  await times('four syllables or more', [...longer], find);
  await times(
    'two words',
    [...common].map((word) => `${word} 서울`),
    find,
  );
  const totals = await Promise.all(commonWords.map(async (word) => (await find(word)).total));
  report('totals', commonWords.map((word, at) => `${word} ${totals[at]}`).join(', '));
  report('after searches', facts());
}

async function times<Item>(
  what: string,
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const [thread, processor, clock]: number[][] = [[], [], []];
  for (const item of items) {
    const started = performance.now();
    const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
    await run(item);
    thread!.push(milliseconds(process.threadCpuUsage(ofThread)));
    processor!.push(milliseconds(process.cpuUsage(ofProcess)));
    clock!.push(performance.now() - started);
  }
  report(what, `${percentiles(thread!)} of processor in the thread that serves`);
  report('', `${percentiles(processor!)} with the threads that collect garbage`);
  report('', `${percentiles(clock!)} by the clock`);
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function percentiles(taken: number[]): string {
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.floor((taken.length - 1) * share)]!.toFixed(2);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms`;
}

function facts(): string {
  const descriptors = readdirSync('/proc/self/fd').length;
  return `${Math.round(process.memoryUsage.rss() / 1e6)} MB resident, ${descriptors} descriptors`;
}

/** Publishes one axis with another record and compares the files of the snapshots. */
function refresh(data: string): void {
  const before = readManifest(data, currentId(data)!);
  const started = performance.now();
  {
    using opened = OpenedSnapshot.open(data, before.id);
    using builder = new SnapshotBuilder(data);
    const first = opened.axes.values().next().value!;
    cloneAxis(opened, first, { code: first.axis.code, seed: 0, words: ['갱신'], builder });
    builder.publish('Refreshed one axis.');
  }
  const seconds = (performance.now() - started) / 1000;
  const hashes = new Set(Object.values(before.files).map(({ sha256 }) => sha256));
  const written = Object.values(readManifest(data, currentId(data)!).files)
    .filter(({ sha256 }) => !hashes.has(sha256))
    .reduce((sum, { bytes }) => sum + bytes, 0);
  const packs = Object.entries(before.files).filter(([path]) => path.startsWith('packs/'));
  const packBytes = packs.reduce((sum, [, { bytes }]) => sum + bytes, 0) / packs.length;
  report(
    'refresh of one axis',
    `${seconds.toFixed(2)} s, ${written} bytes to move; a pack has ${Math.round(packBytes)} on average`,
  );
}

function filesIn(data: string): string {
  const manifest = readManifest(data, currentId(data)!);
  const files = Object.values(manifest.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { size } = statSync(join(data, 'snapshots', manifest.id, 'manifest.json'));
  return `${files.length} files of ${Math.round(bytes / 1e6)} MB, manifest ${size} bytes`;
}

function report(what: string, measured: string): void {
  process.stdout.write(`  ${what.padEnd(24)} ${measured}\n`);
}
