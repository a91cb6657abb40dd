import { linkSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StoredAxis, Value } from '../src/data/axis.ts';
import { ByteSink } from '../src/data/byte-sink.ts';
import { FileRange } from '../src/data/file-range.ts';
import { AxisWriter } from '../src/data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { writeJson } from '../src/data/snapshot/json-file.ts';
import {
  dataPaths,
  fileNames,
  packedParquetPath,
  packPath,
  packsOf,
  type FileFacts,
  type Manifest,
} from '../src/data/snapshot/layout.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { encodeFooter, readPackFooter } from '../src/data/snapshot/pack-file.ts';
import { readRows } from '../src/data/snapshot/records.ts';
import {
  currentId,
  nextId,
  pointTo,
  readManifest,
  snapshotFolder,
  unfinishedPrefix,
} from '../src/data/snapshot/snapshots.ts';

/** Records of an axis that is cloned. Half of the datasets of the portal have fewer than 400. */
const rowsMax = 200;
/** Axes of a snapshot that are published at once. */
const batch = 500;
/** Clones with texts of their own; further axes are copies of their packs with other codes, which are made faster. */
const distinctMax = 2_000;
const firstCode = 30_000_000;

/** Fills a data folder with at least `count` axes: clones of the small axes of `source`. Continues what is there. */
export function cloneAxes(source: string, count: number, data: string): void {
  using opened = OpenedSnapshot.open(source, currentId(source)!);
  const small = [...opened.axes.values()].filter(({ rows }) => rows > 20 && rows <= rowsMax);
  const words = wordsOf(opened, small);
  const distinct = Math.min(count, distinctMax);
  for (let from = axesIn(data); from < distinct; from += batch) {
    using builder = new SnapshotBuilder(data);
    for (let at = from; at < Math.min(distinct, from + batch); at++) {
      const original = small[at % small.length]!;
      cloneAxis(opened, original, { code: codeOf(at), seed: at, words, builder });
    }
    builder.publish(`Cloned axes from ${from}.`);
  }
  if (axesIn(data) < count) copyPacks(data, count);
}

export function axesIn(data: string): number {
  if (currentId(data) === null) return 0;
  using opened = OpenedSnapshot.open(data, currentId(data)!);
  return opened.axes.size;
}

interface CloneOptions {
  readonly code: string;
  readonly seed: number;
  /** Words that are put into the texts. */
  readonly words: readonly string[];
  readonly builder: SnapshotBuilder;
}

/** Puts an axis with other texts under another code. */
export function cloneAxis(
  opened: OpenedSnapshot,
  { axis, fields }: StoredAxis,
  { code, seed, words, builder }: CloneOptions,
): void {
  using writer = new AxisWriter(
    builder.stageAxis(code),
    fields.map(({ name }) => name),
  );
  const random = seeded(seed + 1);
  for (const row of readRows(opened.part(axis.code).records)) {
    writer.add(fields.map((field) => changed(row[field.name] ?? null, words, random)));
  }
  const title = `${axis.title} ${words[seed % words.length]}`;
  const { files } = writer.finish({ ...axis, code, title, portalId: null }, fields);
  builder.putAxis(code, files);
}

function codeOf(at: number): string {
  return `file_${String(firstCode + at)}`;
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

/** Publishes copies of all packs, round after round, until there are `count` axes. */
function copyPacks(data: string, count: number): void {
  const previous = readManifest(data, currentId(data)!);
  const from = snapshotFolder(data, previous.id);
  const stage = mkdtempSync(join(dataPaths(data).snapshots, unfinishedPrefix));
  const files = { ...previous.files };
  for (const path of Object.keys(files)) link(join(from, path), join(stage, path));
  const packs: Record<string, readonly string[]> = { ...previous.packs };
  let axes = axesIn(data);
  let code = axes;
  for (let pack = packsOf(previous).length; axes < count;) {
    for (const [original, codes] of packsOf(previous)) {
      if (axes >= count) break;
      const names = new Map(codes.map((name) => [name, codeOf(code++)]));
      const path = packPath(++pack);
      files[path] = copyPack(join(from, original), join(stage, path), names);
      packs[path] = [...names.values()];
      axes += names.size;
      for (const [name, copy] of names) {
        const [parquet, own] = [name, copy].map(packedParquetPath);
        files[own!] = previous.files[parquet!]!;
        link(join(from, parquet!), join(stage, own!));
      }
    }
  }
  const id = nextId(data, new Date());
  const manifest: Manifest = { ...previous, id, previous: previous.id, packs, files };
  writeJson(join(stage, fileNames.manifest), manifest);
  renameSync(stage, snapshotFolder(data, id));
  pointTo(data, id);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  linkSync(from, to);
}

/** Copies a pack; `names` has the new code of each axis that is served from it. */
function copyPack(from: string, to: string, names: ReadonlyMap<string, string>): FileFacts {
  using file = FileRange.of(from);
  using sink = new ByteSink(to);
  const footer = readPackFooter(file);
  const { index } = footer;
  const bytes = Buffer.allocUnsafe(index.at + index.bytes);
  sink.write(file.read(bytes, 0));
  const axes = footer.axes.map((axis) => {
    const code = names.get(axis.code) ?? axis.code;
    const { summary } = axis;
    return { ...axis, code, summary: { ...summary, axis: { ...summary.axis, code } } };
  });
  sink.write(encodeFooter({ index, axes }));
  return sink.close();
}
