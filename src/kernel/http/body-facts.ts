import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ByteCache } from '../byte-cache.ts';

/** Length, digest and pieces of a body that is written anew for each request. */
export interface BodyFacts {
  /** In bytes. */
  readonly length: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Position of each piece in the body. */
  readonly starts: Float64Array;
}

/**
 * Cache of the facts of bodies, by entity tag and coding. A body is written once to find its facts: one body at a time,
 * and piece by piece, so that other requests do not wait.
 */
export class BodyFactsCache {
  readonly #facts = new ByteCache<BodyFacts>(bytesMax);
  readonly #pending = new Map<string, PendingFacts>();
  #last: Promise<unknown> = Promise.resolve();

  get(key: string): BodyFacts | null {
    return this.#facts.get(key) ?? null;
  }

  store(key: string, facts: BodyFacts): void {
    this.#facts.set(key, facts, entryBytes + facts.starts.byteLength);
  }

  /**
   * Writes a body to find its facts; null if too many bodies are being written. Requests for the same body wait for the
   * same facts. Rejects with an `AbortError` once all of these requests are abandoned.
   */
  async write(
    key: string,
    pieces: () => AsyncIterable<Uint8Array>,
    isAbandoned: () => boolean,
  ): Promise<BodyFacts | null> {
    const shared = this.#pending.get(key);
    if (shared !== undefined) {
      shared.abandonTests.push(isAbandoned);
      return shared.facts;
    }
    if (this.#pending.size === pendingMax) return null;
    const abandonTests = [isAbandoned];
    const facts = this.#last.then(() =>
      factsOf(pieces(), () => abandonTests.every((each) => each())),
    );
    this.#last = facts.catch(() => undefined);
    this.#pending.set(key, { facts, abandonTests });
    try {
      this.store(key, await facts);
      return await facts;
    } finally {
      this.#pending.delete(key);
    }
  }
}

interface PendingFacts {
  readonly facts: Promise<BodyFacts>;
  readonly abandonTests: (() => boolean)[];
}

const bytesMax = 1 << 22;
const entryBytes = 512;
/** Limit on bodies that are written or wait for it; a request for one more gets its body without a length. */
const pendingMax = 8;

async function factsOf(
  pieces: AsyncIterable<Uint8Array>,
  isAbandoned: () => boolean,
): Promise<BodyFacts> {
  const meter = new PieceMeter(pieces);
  for await (const _ of meter) {
    if (isAbandoned()) throw new DOMException('No client waits for the file.', 'AbortError');
    await setImmediate();
  }
  return meter.facts();
}

/** Measures a body while its pieces are read. */
export class PieceMeter implements AsyncIterable<Uint8Array> {
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
