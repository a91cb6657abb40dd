import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A new file that is written once, from start to end, and knows its size and hash when it is done. */
export class ByteSink implements Disposable {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #buffered = 0;
  #flushed = 0;
  #open = true;

  /** Throws when the file exists: nothing of a snapshot is ever written twice. */
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
      this.#put(bytes);
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
      this.#put(bytes);
      return bytes.length;
    }
    const written = this.#buffer.write(text, this.#buffered);
    this.#buffered += written;
    return written;
  }

  /** Makes everything durable and closes the file. */
  close(): { bytes: number; sha256: string } {
    this.#flush();
    fsyncSync(this.#descriptor);
    this[Symbol.dispose]();
    return { bytes: this.#flushed, sha256: this.#hash.digest('hex') };
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#put(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done);
    }
    this.#flushed += bytes.length;
  }
}

const bufferBytes = 1 << 18;
