import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Writes a new file from start to end and computes its size and SHA-256. */
export class ByteSink implements Disposable {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #buffered = 0;
  #flushed = 0;
  #isOpen = true;

  /** Throws if the file exists: no file of a snapshot is written twice. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx');
  }

  /** Bytes written so far. */
  get position(): number {
    return this.#flushed + this.#buffered;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > bufferBytes - this.#buffered) this.#flush();
    if (bytes.length > bufferBytes) {
      this.#append(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** Writes a string as UTF-8 and returns its length in bytes. */
  writeText(text: string): number {
    // A UTF-16 unit takes at most three bytes.
    if (text.length * 3 > bufferBytes - this.#buffered) this.#flush();
    if (text.length * 3 > bufferBytes) {
      const bytes = Buffer.from(text);
      this.#append(bytes);
      return bytes.length;
    }
    const written = this.#buffer.write(text, this.#buffered);
    this.#buffered += written;
    return written;
  }

  /** Syncs and closes the file. */
  close(): { bytes: number; sha256: string } {
    this.#flush();
    fsyncSync(this.#descriptor);
    this[Symbol.dispose]();
    return { bytes: this.#flushed, sha256: this.#hash.digest('hex') };
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#append(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #append(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written);
    }
    this.#flushed += bytes.length;
  }
}

const bufferBytes = 1 << 18;
