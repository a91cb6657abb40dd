import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Axis, StoredAxis, Row } from '../../data/axis.ts';
import { AxisFiles } from '../../data/snapshot/axis-files.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import { readRows, RecordsFile } from '../../data/snapshot/records.ts';
import { isSameAxis } from '../../data/snapshot/same-axis.ts';
import { currentId, readManifest, snapshotFolder } from '../../data/snapshot/snapshots.ts';
import type { RecordSource } from './build-axis.ts';

/** Folder of a built axis that waits for its publication. */
export function builtFolder(data: string, code: string): string {
  return join(data, 'built', code);
}

/** The axes of a data folder. A built axis that waits for its publication precedes the served one. */
export class StoredAxes {
  readonly #data: string;
  readonly #built = new Set<string>();
  #served: { readonly id: string; readonly files: AxisFiles } | null = null;
  /** Cached result of `servedOtherTables`, which each dataset of a session needs. */
  #otherTables: { readonly snapshot: string; readonly axes: readonly Axis[] } | null = null;

  constructor(data: string) {
    this.#data = data;
  }

  /** The axis of the current snapshot; null if it has none. */
  served(code: string): StoredAxis | null {
    return this.#servedFiles()?.description(code) ?? null;
  }

  /** True if a built axis equals the served one, apart from its collection time and its findings. */
  isServed({ stored, files }: WrittenAxis): boolean {
    const snapshot = this.#servedFiles();
    const served = this.served(stored.axis.code);
    if (snapshot === null || served === null) return false;
    const { quality } = served;
    const withQuality = quality === undefined ? stored : { ...stored, quality };
    return isSameAxis({ stored: withQuality, files }, served, snapshot);
  }

  /** The served axes whose code has no portal number: further tables of a file, and files without a number. */
  servedOtherTables(): readonly Axis[] {
    const id = currentId(this.#data);
    if (id === null) return [];
    if (this.#otherTables?.snapshot !== id) {
      const codes = this.#servedFiles()!.codes.filter((code) => code.startsWith('file_0'));
      const axes = codes.flatMap((code) => this.served(code)?.axis ?? []);
      this.#otherTables = { snapshot: id, axes };
    }
    return this.#otherTables.axes;
  }

  /** SHA-256 of the served records of an axis; null if it is not served. */
  servedRecords(code: string): string | null {
    return this.#servedFiles()?.facts(code, fileNames.records)?.sha256 ?? null;
  }

  /** Marks an axis as built and waiting for its publication. */
  markBuilt(code: string): void {
    this.#built.add(code);
  }

  unmarkBuilt(code: string): void {
    this.#built.delete(code);
  }

  has(code: string): boolean {
    return this.#built.has(code) || this.served(code) !== null;
  }

  /** Opens an axis with its records, built or served; null if there is none. */
  open(code: string): (RecordSource & Disposable) | null {
    if (this.#built.has(code)) return openFolder(builtFolder(this.#data, code));
    return this.openServed(code);
  }

  openServed(code: string): (RecordSource & Disposable) | null {
    const id = currentId(this.#data);
    if (id === null) return null;
    // Not the cached files: a publication may close those before the records are read.
    const files = filesOf(this.#data, id);
    const stored = files.description(code);
    if (stored === null) return null;
    const records = files.records(code)!;
    const dispose = (): void => {
      records[Symbol.dispose]();
      files[Symbol.dispose]();
    };
    return { stored, records, [Symbol.dispose]: dispose };
  }

  /** Reads the records of an axis, from which the requests of another axis are made. Throws for an unknown axis. */
  async *records(code: string): AsyncGenerator<Row, void, undefined> {
    using source = this.open(code);
    if (source === null) {
      throw new Error(
        `${code} is not collected yet, and its records are needed for requests: collect it first.`,
      );
    }
    yield* readRows(source.records);
  }

  /** The axes of the current snapshot; null if there is none. */
  #servedFiles(): AxisFiles | null {
    const id = currentId(this.#data);
    if (id === null) return null;
    if (this.#served?.id !== id) {
      this.#served?.files[Symbol.dispose]();
      this.#served = { id, files: filesOf(this.#data, id) };
    }
    return this.#served.files;
  }
}

function filesOf(data: string, id: string): AxisFiles {
  return new AxisFiles(snapshotFolder(data, id), readManifest(data, id));
}

function openFolder(folder: string): (RecordSource & Disposable) | null {
  const stored = readAxis(folder);
  if (stored === null) return null;
  const records = RecordsFile.in(folder);
  return { stored, records, [Symbol.dispose]: () => records[Symbol.dispose]() };
}

function readAxis(folder: string): StoredAxis | null {
  try {
    // The files of a snapshot are trusted: their hashes are in the manifest.
    return JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
