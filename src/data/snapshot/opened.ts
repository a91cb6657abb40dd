import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis } from '../axis.ts';
import type { CatalogSummary } from '../catalog.ts';
import { boundaryLevels, type StoredBoundaries } from '../regions/stored-boundaries.ts';
import { ColumnsFile } from '../columns/columns-file.ts';
import type { Demand } from '../demand.ts';
import { SearchIndex } from '../search/index-file.ts';
import {
  axisCodes,
  axisFolder,
  boundariesFile,
  catalogFolder,
  fileNames,
  type FileFacts,
  type Manifest,
} from './layout.ts';
import { RecordsFile } from './records.ts';
import { currentId, readManifest, snapshotFolder } from './snapshots.ts';

/**
 * A snapshot opened for reading: the descriptions of its axes and the dictionaries of its search indexes are in memory,
 * everything else is read from files. Its JSON files are trusted, because the manifest has their hashes.
 */
export class OpenedSnapshot implements Disposable {
  readonly manifest: Manifest;
  /** By code, in order. */
  readonly axes: ReadonlyMap<string, StoredAxis>;
  readonly catalog: { readonly summary: CatalogSummary; readonly part: OpenedPart } | null;
  readonly demand: Demand | null;
  readonly #parts: ReadonlyMap<string, OpenedPart>;
  readonly #folder: string;

  /** Opens a snapshot of a data folder. Throws if it is absent or of another format. */
  static open(data: string, id: string): OpenedSnapshot {
    return new OpenedSnapshot(snapshotFolder(data, id), readManifest(data, id));
  }

  /** Opens the current snapshot of a data folder; null if there is none. */
  static current(data: string): OpenedSnapshot | null {
    const id = currentId(data);
    return id === null ? null : OpenedSnapshot.open(data, id);
  }

  constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.manifest = manifest;
    const axes = new Map<string, StoredAxis>();
    const parts = new Map<string, OpenedPart>();
    this.axes = axes;
    this.#parts = parts;
    using opened = new DisposableStack();
    for (const code of axisCodes(this.manifest).sort()) {
      axes.set(code, readJson(join(folder, axisFolder(code), fileNames.axis)) as StoredAxis);
      parts.set(code, opened.use(new OpenedPart(join(folder, axisFolder(code)))));
    }
    const catalogPath = join(folder, catalogFolder, fileNames.catalog);
    this.catalog = existsSync(catalogPath)
      ? {
          summary: readJson(catalogPath) as CatalogSummary,
          part: opened.use(new OpenedPart(join(folder, catalogFolder))),
        }
      : null;
    const demandPath = join(folder, fileNames.demand);
    this.demand = existsSync(demandPath) ? (readJson(demandPath) as Demand) : null;
    this.#opened = opened.move();
  }

  readonly #opened: DisposableStack;

  /** Boundaries that were loaded for maps, read from their files at each call. */
  boundaries(): StoredBoundaries[] {
    return boundaryLevels
      .map(boundariesFile)
      .filter((name) => name in this.manifest.files)
      .map((name) => readJson(join(this.#folder, name)) as StoredBoundaries);
  }

  /** Path, size and hash of the Parquet file of an axis; null if an earlier version wrote none. */
  parquet(code: string): (FileFacts & { readonly path: string }) | null {
    const name = `${axisFolder(code)}/${fileNames.parquet}`;
    const facts = this.manifest.files[name];
    return facts === undefined ? null : { ...facts, path: join(this.#folder, name) };
  }

  /** Records and index of a stored axis. */
  part(code: string): OpenedPart {
    const part = this.#parts.get(code);
    if (part === undefined)
      throw new Error(`There is no axis ${code} in the snapshot. Load it, or use another code.`);
    return part;
  }

  [Symbol.dispose](): void {
    this.#opened.dispose();
  }
}

/** The files of one axis or of the catalog: records, search index and, for an axis, columns. */
export class OpenedPart implements Disposable {
  readonly records: RecordsFile;
  readonly index: SearchIndex;
  readonly #folder: string;
  #columns: ColumnsFile | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.records = new RecordsFile(folder);
    try {
      this.index = new SearchIndex(join(folder, fileNames.search));
    } catch (error) {
      this.records[Symbol.dispose]();
      throw error;
    }
  }

  /** Columns of an axis, opened on first use; null if an earlier version wrote none. */
  get columns(): ColumnsFile | null {
    const path = join(this.#folder, fileNames.columns);
    if (this.#columns === null && existsSync(path)) this.#columns = new ColumnsFile(path);
    return this.#columns;
  }

  [Symbol.dispose](): void {
    this.records[Symbol.dispose]();
    this.index[Symbol.dispose]();
    this.#columns?.[Symbol.dispose]();
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
