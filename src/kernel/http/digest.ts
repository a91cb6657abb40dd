import { createHash } from 'node:crypto';

/** Value of `Repr-Digest` for a SHA-256: RFC 9530 writes a digest between colons. */
export function reprDigest(sha256: Buffer): string {
  return `sha-256=:${sha256.toString('base64')}:`;
}

/** Pieces of a body that are hashed as they are read, if `isDigested`. */
export class DigestedPieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterable<Uint8Array>;
  readonly #hash;

  constructor(pieces: AsyncIterable<Uint8Array>, isDigested: boolean) {
    this.#pieces = pieces;
    this.#hash = isDigested ? createHash('sha256') : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#pieces) {
      this.#hash?.update(piece);
      yield piece;
    }
  }

  /** The trailer with the digest of all pieces, once they are read; none if the pieces are not hashed. */
  trailers(): Readonly<Record<string, string>> {
    return this.#hash === null ? {} : { 'Repr-Digest': reprDigest(this.#hash.digest()) };
  }
}
