import { closeSync, fstatSync, openSync } from 'node:fs';
import { UsedPool, type Pooled } from '../kernel/used-pool.ts';
import { readFully } from './read-fully.ts';

/**
 * Bytes of a file for reading: the whole file, or a part of it. The file is opened at first use. While too many files are
 * open, the ones that are not in use are closed, and opened again when they are read.
 */
export class FileRange implements Disposable {
  readonly #file: LazyFile;
  readonly #at: number;
  readonly #isWhole: boolean;
  #size: number | null;

  /** The whole file at a path. */
  static of(path: string): FileRange {
    return new FileRange(new LazyFile(path), 0, null);
  }

  private constructor(file: LazyFile, at: number, size: number | null) {
    this.#file = file;
    this.#at = at;
    this.#size = size;
    this.#isWhole = size === null;
  }

  get size(): number {
    return (this.#size ??= fstatSync(this.#file.descriptor()).size);
  }

  /** Path of the file, and where the range begins in it. */
  get place(): { readonly path: string; readonly at: number } {
    return { path: this.#file.path, at: this.#at };
  }

  /** Fills `bytes` from a position of the range. Throws if the file ends before. */
  read<Bytes extends Uint8Array>(bytes: Bytes, position: number): Bytes {
    return readFully(this.#file.descriptor(), bytes, this.#at + position);
  }

  /** A part of the range, which is readable until the whole file is disposed of. */
  part(at: number, size: number): FileRange {
    return new FileRange(this.#file, this.#at + at, size);
  }

  /** Closes the file of a whole range; a part leaves it open. */
  [Symbol.dispose](): void {
    if (this.#isWhole) this.#file.close();
  }
}

class LazyFile implements Pooled {
  readonly path: string;
  isUsed = false;
  #descriptor = -1;

  constructor(path: string) {
    this.path = path;
  }

  descriptor(): number {
    this.isUsed = true;
    if (this.#descriptor >= 0) return this.#descriptor;
    openFiles.add(this, 1);
    try {
      return (this.#descriptor = openSync(this.path, 'r'));
    } catch (error) {
      openFiles.remove(this);
      throw error;
    }
  }

  close(): void {
    if (this.#descriptor < 0) return;
    openFiles.remove(this);
    this.release();
  }

  release(): void {
    closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** Files open at once: far fewer than the 4,096 descriptors that a service is usually granted. */
const openFiles = new UsedPool(2_048);
