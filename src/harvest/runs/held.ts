import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis, Row } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { axisFolder, fileNames } from '../../data/snapshot/layout.ts';
import { RecordsFile } from '../../data/snapshot/records.ts';
import { isSameAxis } from '../../data/snapshot/same-axis.ts';
import { currentId, readManifest, snapshotFolder } from '../../data/snapshot/snapshots.ts';
import { readRows } from '../../data/snapshot/records.ts';
import type { RecordSource } from './build-axis.ts';

/** Where an axis that is built waits for the next publication, under a data folder. */
export function builtFolder(data: string, code: string): string {
  return join(data, 'built', code);
}

/** The axes as they stand: what was built and waits goes before what is served. */
export class HeldAxes {
  readonly #data: string;
  readonly #built = new Set<string>();

  constructor(data: string) {
    this.#data = data;
  }

  /** The axis as the current snapshot has it; null where it has none. */
  served(code: string): StoredAxis | null {
    const folder = this.#servedFolder(code);
    return folder === null ? null : readAxis(folder);
  }

  /** Whether an axis that was built is the one that is served, but for the time it was taken and what is odd. */
  serves({ stored, files }: WrittenAxis): boolean {
    const id = currentId(this.#data);
    const before = this.served(stored.axis.code);
    if (id === null || before === null) return false;
    const { quality } = before;
    const judged = quality === undefined ? stored : { ...stored, quality };
    return isSameAxis({ stored: judged, files }, before, readManifest(this.#data, id));
  }

  /** Hash of the records of an axis as they are served; null where it is not. */
  servedRecords(code: string): string | null {
    const id = currentId(this.#data);
    if (id === null) return null;
    const path = `${axisFolder(code)}/${fileNames.records}`;
    return readManifest(this.#data, id).files[path]?.sha256 ?? null;
  }

  /** Notes that an axis was built and will be published. */
  built(code: string): void {
    this.#built.add(code);
  }

  /** Nothing waits any more. */
  published(): void {
    this.#built.clear();
  }

  has(code: string): boolean {
    return this.#built.has(code) || this.served(code) !== null;
  }

  /** The newest form of an axis with its records; null where there is none. */
  open(code: string): (RecordSource & Disposable) | null {
    if (this.#built.has(code)) return openFolder(builtFolder(this.#data, code));
    return this.openServed(code);
  }

  openServed(code: string): (RecordSource & Disposable) | null {
    const folder = this.#servedFolder(code);
    return folder === null ? null : openFolder(folder);
  }

  /** The records of an axis that others are asked by. Throws when it is not held. */
  async *records(code: string): AsyncGenerator<Row, void, undefined> {
    using source = this.open(code);
    if (source === null) {
      throw new Error(`${code} has to be collected first: its records are what to ask by.`);
    }
    yield* readRows(source.records);
  }

  #servedFolder(code: string): string | null {
    const id = currentId(this.#data);
    return id === null ? null : join(snapshotFolder(this.#data, id), axisFolder(code));
  }
}

function openFolder(folder: string): (RecordSource & Disposable) | null {
  const held = readAxis(folder);
  if (held === null) return null;
  const records = new RecordsFile(folder);
  return { held, records, [Symbol.dispose]: () => records[Symbol.dispose]() };
}

function readAxis(folder: string): StoredAxis | null {
  try {
    // What a snapshot holds is trusted: its hashes are in the manifest.
    return JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
