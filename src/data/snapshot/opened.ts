import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ByteCache } from '../../kernel/byte-cache.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import type { StoredAxis } from '../axis.ts';
import type { CatalogSummary } from '../catalog.ts';
import type { Demand } from '../demand.ts';
import { boundaryLevels, type StoredBoundaries } from '../regions/stored-boundaries.ts';
import { indexesWithName } from '../search/names.ts';
import type { SearchedChunk } from '../search/part-order.ts';
import { wholePart } from '../search/searched-indexes.ts';
import { AxisFiles } from './axis-files.ts';
import { chunkOf } from './axis-index.ts';
import {
  axisFolder,
  boundariesFile,
  catalogFolder,
  fileNames,
  packsOf,
  type FileFacts,
  type Manifest,
} from './layout.ts';
import { OpenedPart } from './opened-part.ts';
import { PackedDescription } from './packed-description.ts';
import { currentId, readManifest, snapshotFolder } from './snapshots.ts';
import { verifySizes } from './verify.ts';

/**
 * A snapshot opened for reading. In memory are the descriptions of axes with folders of their own, and summaries of the
 * others. Everything else is read from files, which are opened at first use. Its JSON files are trusted, because the
 * manifest has their hashes.
 */
export class OpenedSnapshot implements Disposable {
  readonly manifest: Manifest;
  /** By code, in order. */
  readonly axes: ReadonlyMap<string, StoredAxis>;
  readonly catalog: { readonly summary: CatalogSummary; readonly part: OpenedPart } | null;
  readonly demand: Demand | null;
  readonly files: AxisFiles;
  readonly #folder: string;
  readonly #parts = new Map<string, OpenedPart>();
  readonly #packedParts = new Map<string, OpenedPart>();
  #searched: readonly SearchedChunk[] | null = null;
  readonly #descriptions = new ByteCache<StoredAxis>(descriptionBytesMax);

  /** Opens a snapshot of a data folder. Throws if it is absent, damaged or of another format. */
  static open(data: string, id: string): OpenedSnapshot {
    return runSteps(OpenedSnapshot.opening(data, id));
  }

  /** Opens a snapshot in steps of a few milliseconds. */
  static *opening(data: string, id: string): Generator<void, OpenedSnapshot> {
    return yield* OpenedSnapshot.#opening(snapshotFolder(data, id), readManifest(data, id));
  }

  /** Opens the current snapshot of a data folder; null if there is none. */
  static current(data: string): OpenedSnapshot | null {
    const id = currentId(data);
    return id === null ? null : OpenedSnapshot.open(data, id);
  }

  /** Opens a folder as the snapshot of a manifest. */
  static in(folder: string, manifest: Manifest): OpenedSnapshot {
    return runSteps(OpenedSnapshot.#opening(folder, manifest));
  }

  static *#opening(folder: string, manifest: Manifest): Generator<void, OpenedSnapshot> {
    yield* verifySizes(folder, manifest);
    const opened = new OpenedSnapshot(folder, manifest);
    yield* opened.#describe();
    return opened;
  }

  private constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.manifest = manifest;
    this.axes = this.#axes;
    this.files = new AxisFiles(folder, manifest);
    const catalogPath = join(folder, catalogFolder, fileNames.catalog);
    this.catalog = existsSync(catalogPath)
      ? {
          summary: readJson(catalogPath) as CatalogSummary,
          part: OpenedPart.in(join(folder, catalogFolder)),
        }
      : null;
    const demandPath = join(folder, fileNames.demand);
    this.demand = existsSync(demandPath) ? (readJson(demandPath) as Demand) : null;
  }

  readonly #axes = new Map<string, StoredAxis>();

  /** Boundaries that were loaded for maps, read from their files at each call. */
  boundaries(): StoredBoundaries[] {
    return boundaryLevels
      .map(boundariesFile)
      .filter((name) => name in this.manifest.files)
      .map((name) => readJson(join(this.#folder, name)) as StoredBoundaries);
  }

  /** Bytes of the search indexes of all axes. */
  get indexBytes(): number {
    const packs = packsOf(this.manifest).map(([path]) => this.files.pack(path).index.size);
    const others = this.files.codes.map(
      (code) => this.manifest.files[`${axisFolder(code)}/${fileNames.search}`]?.bytes ?? 0,
    );
    return [...packs, ...others].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Place, size and hash of the Parquet file of an axis; null if an earlier version wrote none. */
  parquet(code: string): (FileFacts & { readonly path: string; readonly at: number }) | null {
    using file = this.files.file(code, fileNames.parquet);
    return file === null ? null : { ...this.files.facts(code, fileNames.parquet)!, ...file.place };
  }

  /** Records and index of a stored axis. */
  part(code: string): OpenedPart {
    if (!this.axes.has(code))
      throw new Error(`There is no axis ${code} in the snapshot. Load it, or use another code.`);
    const parts = this.files.isPacked(code) ? this.#packedParts : this.#parts;
    const part = parts.get(code) ?? OpenedPart.of(code, this.files);
    if (parts === this.#packedParts) {
      // The first part in the map is the least recently used.
      parts.delete(code);
      if (parts.size >= packedPartsMax) parts.delete(parts.keys().next().value!);
    }
    parts.set(code, part);
    return part;
  }

  /** Codes of the axes with a record of exactly this name, in order. */
  *axesWithName(text: string): Generator<void, string[]> {
    this.#searched ??= yield* this.searchedChunks();
    const found = new Set<number>();
    for (const { chunk, parts } of this.#searched) {
      for (const index of indexesWithName(chunk, parts, text)) found.add(index);
      yield;
    }
    return [...found].sort((a, b) => a - b).map((index) => this.files.codes[index]!);
  }

  /** The search indexes of all axes, by their position among the codes; axes of a pack share a chunk. */
  *searchedChunks(): Generator<void, SearchedChunk[]> {
    const positions = new Map(this.files.codes.map((code, position) => [code, position]));
    const searched: SearchedChunk[] = [];
    for (const [path, codes] of packsOf(this.manifest)) {
      const pack = this.files.pack(path);
      const served = new Set(codes);
      const parts = pack.axes
        .filter(({ code }) => served.has(code))
        .map(({ code, from, summary: { rows } }) => {
          return { index: positions.get(code)!, from, to: from + rows, base: 0 };
        });
      searched.push({ chunk: chunkOf(pack), parts });
      yield;
    }
    for (const [code, position] of positions) {
      if (this.files.isPacked(code)) continue;
      for (const chunk of this.part(code).index.chunks)
        searched.push({ chunk, parts: [wholePart(position, chunk)] });
      yield;
    }
    return searched;
  }

  [Symbol.dispose](): void {
    for (const part of this.#parts.values()) part[Symbol.dispose]();
    this.catalog?.part[Symbol.dispose]();
    this.files[Symbol.dispose]();
  }

  *#describe(): Generator<void, void> {
    const sources = {
      whole: (code: string) => this.#description(code),
      regions: (code: string) => this.files.packOf(code)!.regions(code),
    };
    for (const [at, code] of this.files.codes.entries()) {
      const pack = this.files.packOf(code);
      this.#axes.set(
        code,
        pack === null
          ? this.files.description(code)!
          : new PackedDescription(pack.axis(code).summary, sources),
      );
      if (pack === null || at % axesPerStep === 0) yield;
    }
  }

  #description(code: string): StoredAxis {
    let description = this.#descriptions.get(code);
    if (description === undefined) {
      description = this.files.description(code)!;
      const { bytes } = this.files.facts(code, fileNames.axis)!;
      this.#descriptions.set(code, description, bytes);
    }
    return description;
  }
}

/** Packed axes whose files stay open for the next request. */
const packedPartsMax = 1_024;
/** Bytes of JSON of the descriptions of packed axes in memory. */
const descriptionBytesMax = 1 << 25;
const axesPerStep = 256;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
