import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ByteCache } from '../byte-cache.ts';

/** Length and digest of a body that is written anew for each request. */
export interface BodyFacts {
  /** In bytes. */
  readonly length: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Position of each piece in the body. */
  readonly starts: Float64Array;
}

/**
 * Facts of bodies, by entity tag and coding. A body is written once for them, one body at a time and piece by piece,
 * so that other requests do not wait.
 */
export class BodyFactsCache {
  readonly #facts = new ByteCache<BodyFacts>(bytesMax);
  readonly #writing = new Map<string, Writing>();
  #last: Promise<unknown> = Promise.resolve();

  get(key: string): BodyFacts | null {
    return this.#facts.get(key) ?? null;
  }

  store(key: string, facts: BodyFacts): void {
    this.#facts.set(key, facts, entryBytes + facts.starts.byteLength);
  }

  /**
   * Writes a body for its facts; null if too many are being written. Requests for the same body wait for the same
   * facts. Rejects with an `AbortError` once all of them are abandoned.
   */
  async write(
    key: string,
    pieces: () => AsyncIterable<Uint8Array>,
    isAbandoned: () => boolean,
  ): Promise<BodyFacts | null> {
    const shared = this.#writing.get(key);
    if (shared !== undefined) {
      shared.waiting.push(isAbandoned);
      return shared.facts;
    }
    if (this.#writing.size === writingMax) return null;
    const waiting = [isAbandoned];
    const facts = this.#last.then(() => factsOf(pieces(), () => waiting.every((each) => each())));
    this.#last = facts.catch(() => undefined);
    this.#writing.set(key, { facts, waiting });
    try {
      this.store(key, await facts);
      return await facts;
    } finally {
      this.#writing.delete(key);
    }
  }
}

interface Writing {
  readonly facts: Promise<BodyFacts>;
  readonly waiting: (() => boolean)[];
}

const bytesMax = 1 << 22;
const entryBytes = 512;
/** Bodies that are being written or wait for it; a request past them gets its body without a length. */
const writingMax = 8;

async function factsOf(
  pieces: AsyncIterable<Uint8Array>,
  isAbandoned: () => boolean,
): Promise<BodyFacts> {
  const noted = new NotedPieces(pieces);
  for await (const _ of noted) {
    if (isAbandoned()) throw new DOMException('No client waits for the file.', 'AbortError');
    await setImmediate();
  }
  return noted.facts();
}

/** Pieces of a body of which the facts are noted as they are read. */
export class NotedPieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  readonly #starts: number[] = [];
  #length = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#pieces) {
      this.#hash.update(piece);
      this.#starts.push(this.#length);
      this.#length += piece.length;
      yield piece;
    }
  }

  /** Facts of the body, once all of its pieces are read. */
  facts(): BodyFacts {
    return {
      length: this.#length,
      sha256: this.#hash.digest('hex'),
      starts: Float64Array.from(this.#starts),
    };
  }
}
