import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredAxis, Value } from '../src/data/axis.ts';
import { parseQuery } from '../src/data/korean/terms.ts';
import { AxisWriter } from '../src/data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { readRows } from '../src/data/snapshot/records.ts';
import { currentId, readManifest } from '../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { benchData } from './bench-data.ts';

/**
 * Many small axes: clones of the small axes of a snapshot, each with other texts, published and opened. Measures the
 * opening, descriptors and memory, a page, searches over all axes, and the refresh of one axis.
 *
 *     node bench/many-axes.ts AXES [DATA] [TARGET]
 *
 * DATA is a data folder with small axes, by default that of `bench/load.ts`; TARGET a folder for the clones that is
 * kept, by default a temporary one.
 */
/** Records of an axis that is cloned. */
const rowsMax = 500;
/** Axes of a snapshot that are published at once. */
const batch = 2_000;
const commonWords =
  '서울 경기도 서울특별시 강남구 주차장 도서관 어린이집 부산광역시 길 동 중구 센터'.split(' ');

const [axes = '1000', source = benchData, target] = process.argv.slice(2);
if (axes === 'open') measure(source);
else {
  const data = target ?? mkdtempSync(join(tmpdir(), 'maru-many-axes-'));
  build(Number(axes), data);
  for (const what of ['first', 'again']) {
    process.stdout.write(`opened in a process of its own, ${what}:\n`);
    const flags = ['--max-semi-space-size=8', '--heap-growing-percent=40', import.meta.filename];
    spawnSync(process.execPath, [...flags, 'open', data], { stdio: 'inherit' });
  }
  refresh(data);
  if (target === undefined) rmSync(data, { recursive: true });
}

/** Publishes clones, a batch in each snapshot. */
function build(count: number, data: string): void {
  using opened = OpenedSnapshot.open(source, currentId(source)!);
  const small = [...opened.axes.values()].filter(({ rows }) => rows > 20 && rows <= rowsMax);
  const words = wordsOf(opened, small);
  const has = currentId(data) === null ? 0 : codesIn(data);
  const started = performance.now();
  let rows = 0;
  for (let from = has; from < count; from += batch) {
    using builder = new SnapshotBuilder(data);
    for (let at = from; at < Math.min(count, from + batch); at++) {
      const original = small[at % small.length]!;
      rows += clone(opened, original, at, { words, builder });
    }
    builder.publish(`Cloned axes from ${from}.`);
  }
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(
    `${count - has} axes of ${rows} rows in ${seconds.toFixed(1)} s, ${filesIn(data)}\n`,
  );
}

interface Clones {
  readonly words: readonly string[];
  readonly builder: SnapshotBuilder;
}

function clone(
  opened: OpenedSnapshot,
  { axis, fields }: StoredAxis,
  at: number,
  { words, builder }: Clones,
): number {
  const code = `file_${String(30_000_000 + at)}`;
  using writer = new AxisWriter(
    builder.stageAxis(code),
    fields.map(({ name }) => name),
  );
  const random = seeded(at + 1);
  for (const row of readRows(opened.part(axis.code).records)) {
    writer.add(fields.map((field) => changed(row[field.name] ?? null, words, random)));
  }
  const { files, stored } = writer.finish(
    { ...axis, code, title: `${axis.title} ${words[at % words.length]}`, portalId: null },
    fields,
  );
  builder.putAxis(code, files);
  return stored.rows;
}

/** The text of a value with another word of the corpus, and other digits. */
function changed(value: Value, words: readonly string[], random: () => number): Value {
  if (typeof value !== 'string' || value.length < 4) return value;
  const other = value.replaceAll(/\d/g, () => String(Math.floor(random() * 10)));
  return /[가-힣]/.test(value) ? `${other} ${words[Math.floor(random() * words.length)]}` : other;
}

function wordsOf(opened: OpenedSnapshot, small: readonly StoredAxis[]): string[] {
  const words = new Set<string>();
  for (const { axis } of small) {
    for (const row of readRows(opened.part(axis.code).records)) {
      for (const word of JSON.stringify(row).match(/[가-힣]{2,6}/g) ?? []) words.add(word);
    }
  }
  return [...words];
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Opens the snapshot of a folder and measures. */
function measure(data: string): void {
  const started = performance.now();
  const store = new SnapshotStore(data, currentId(data)!);
  const openMs = performance.now() - started;
  const { user, system } = process.cpuUsage();
  const processor = `${Math.round((user + system) / 1000)} ms of processor with the start`;
  report('opened', `${openMs.toFixed(0)} ms, ${processor}, ${store.axes.size} axes`);
  report('after opening', facts());
  void searches(store);
}

async function searches(store: SnapshotStore): Promise<void> {
  const codes = [...store.axes.keys()];
  await times('page of 20 rows', codes.slice(0, 2_000), (code) =>
    store.page(code, { offset: 0, limit: 20 }),
  );
  const find = (text: string) => store.search({ ...parseQuery(text), offset: 0, limit: 10 });
  const nowhere = Array.from({ length: 200 }, (_, at) => `뷁쉛${String.fromCharCode(0xd6ff + at)}`);
  await times('a word that is nowhere', nowhere, find);
  const { hits } = await find('서울');
  const common = new Set(commonWords);
  for (const { record } of hits) {
    for (const word of record.toString().match(/[가-힣]{2,3}/g) ?? []) common.add(word);
  }
  await times('common words', [...common], find);
  await times(
    'two words',
    [...common].map((word) => `${word} 서울`),
    find,
  );
  const totals = await Promise.all(commonWords.map(async (word) => (await find(word)).total));
  report('totals', commonWords.map((word, at) => `${word} ${totals[at]}`).join(', '));
  report('after searches', facts());
  await store[Symbol.asyncDispose]();
}

async function times<Item>(
  what: string,
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const [clock, processor]: number[][] = [[], []];
  for (const item of items) {
    const [started, used] = [performance.now(), process.cpuUsage()];
    await run(item);
    const { user, system } = process.cpuUsage(used);
    clock!.push(performance.now() - started);
    processor!.push((user + system) / 1000);
  }
  report(what, `${percentiles(processor!)} of processor, ${percentiles(clock!)} by the clock`);
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
    clone(opened, first, 0, { words: ['갱신'], builder });
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

function codesIn(data: string): number {
  using opened = OpenedSnapshot.open(data, currentId(data)!);
  return opened.axes.size;
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
