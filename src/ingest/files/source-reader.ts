import type { ByteSource } from './source.ts';

/** Reads a source piece by piece, in order, as a binary format prescribes. */
export class SourceReader implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Buffer>;
  #waiting: Buffer = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.#chunks = source.open()[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; null if the source ends before. The caller bounds their number. */
  async take(bytes: number): Promise<Buffer | null> {
    const chunks = [this.#waiting];
    let length = this.#waiting.length;
    while (length < bytes) {
      const next = await this.#chunks.next();
      if (next.done === true) return null;
      chunks.push(next.value);
      length += next.value.length;
    }
    const all = chunks.length === 1 ? this.#waiting : Buffer.concat(chunks, length);
    this.#waiting = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  /** Passes over bytes without keeping them; false if the source ends before. */
  async skip(bytes: number): Promise<boolean> {
    for (let left = bytes; left > 0;) {
      const step = Math.min(left, stepBytes);
      if ((await this.take(step)) === null) return false;
      left -= step;
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }
}

const stepBytes = 64 * 1024;
