import { join } from 'node:path';
import type { StoredAxis } from '../axis.ts';
import { FileRange } from '../file-range.ts';
import {
  axisCodes,
  axisFolder,
  fileNames,
  packedParquetPath,
  packsOf,
  type FileFacts,
  type Manifest,
} from './layout.ts';
import { PackFile } from './pack-file.ts';
import { RecordsFile } from './records.ts';
import { EqualTexts } from './equal-texts.ts';

/** The files of the axes of a snapshot, each in the folder of its axis or in a pack. */
export class AxisFiles implements Disposable {
  /** In order. */
  readonly codes: readonly string[];
  readonly folder: string;
  readonly #manifest: Manifest;
  readonly #packs = new Map<string, PackFile>();
  readonly #texts = new EqualTexts();
  /** Path of the pack of each packed axis. */
  readonly #packPaths = new Map<string, string>();

  constructor(folder: string, manifest: Manifest) {
    this.folder = folder;
    this.#manifest = manifest;
    this.codes = axisCodes(manifest).sort();
    for (const [path, codes] of packsOf(manifest)) {
      for (const code of codes) this.#packPaths.set(code, path);
    }
  }

  isPacked(code: string): boolean {
    return this.#packPaths.has(code);
  }

  /** The pack of an axis; null if the axis has a folder of its own. */
  packOf(code: string): PackFile | null {
    const path = this.#packPaths.get(code);
    return path === undefined ? null : this.pack(path);
  }

  pack(path: string): PackFile {
    let pack = this.#packs.get(path);
    if (pack === undefined) {
      pack = new PackFile(FileRange.of(join(this.folder, path)), this.#texts);
      this.#packs.set(path, pack);
    }
    return pack;
  }

  /** Size and hash of a file of an axis; undefined if the snapshot lacks it. */
  facts(code: string, name: string): FileFacts | undefined {
    const pack = name === fileNames.parquet ? null : this.packOf(code);
    if (pack !== null) return pack.facts(code, name);
    return this.#manifest.files[this.#pathOf(code, name)];
  }

  /** A file of an axis, but no search index; null if the snapshot lacks it. Its owner disposes of it. */
  file(code: string, name: string): FileRange | null {
    const pack = name === fileNames.parquet ? null : this.packOf(code);
    if (pack !== null) return pack.file(code, name);
    const path = this.#pathOf(code, name);
    return path in this.#manifest.files ? FileRange.of(join(this.folder, path)) : null;
  }

  /** The description of an axis; null if the snapshot lacks the axis. */
  description(code: string): StoredAxis | null {
    using file = this.file(code, fileNames.axis);
    if (file === null) return null;
    // The files of a snapshot are trusted: their hashes are in the manifest.
    return JSON.parse(file.read(Buffer.alloc(file.size), 0).toString()) as StoredAxis;
  }

  /** The records of an axis; null if the snapshot lacks the axis. */
  records(code: string): RecordsFile | null {
    const [records, rows] = [fileNames.records, fileNames.rows].map((name) =>
      this.file(code, name),
    );
    return records && rows ? new RecordsFile(records, rows) : null;
  }

  /** Path of a file that is in no pack. */
  #pathOf(code: string, name: string): string {
    return this.isPacked(code) ? packedParquetPath(code) : `${axisFolder(code)}/${name}`;
  }

  [Symbol.dispose](): void {
    for (const pack of this.#packs.values()) pack[Symbol.dispose]();
  }
}
