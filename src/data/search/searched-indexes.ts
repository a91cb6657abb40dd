import type { SearchChunk, SearchIndex } from './index-file.ts';
import { PartOrder, type SearchedChunk } from './part-order.ts';
import type { ChunkPart } from './part-search.ts';

/** An index, and the terms that are topics of its dataset. */
export interface SearchedIndex {
  readonly index: SearchIndex;
  /** Bits of the terms, by position in the query, that are topics and so need not occur in a document. */
  readonly fulfilled?: number;
  /** True if its matches come after the matches of all other indexes, as for sample data. */
  readonly isLast?: boolean;
}

/** Indexes that are searched at once; several may share a chunk. */
export interface SearchedIndexes {
  /** Number of indexes. */
  readonly size: number;
  /** Number of documents of all indexes. */
  readonly documents: number;
  readonly chunks: readonly SearchedChunk[];
  /** The numbers of the parts of the chunks. */
  readonly order: PartOrder;
  /** For each index 1 if its matches come after the matches of all others, else 0. */
  readonly isLast: Uint8Array;
  /** `SearchedIndex.fulfilled` by index. Null stands for zeros. */
  readonly fulfilled: Uint16Array | null;
}

/** Indexes that have chunks of their own. */
export function separately(indexes: readonly SearchedIndex[]): SearchedIndexes {
  const chunks = indexes.flatMap(({ index }, at) =>
    index.chunks.map((chunk) => ({ chunk, parts: [wholePart(at, chunk)] })),
  );
  return {
    size: indexes.length,
    documents: indexes.reduce((sum, { index }) => sum + index.documents, 0),
    chunks,
    order: new PartOrder(chunks),
    isLast: Uint8Array.from(indexes, ({ isLast = false }) => Number(isLast)),
    fulfilled: Uint16Array.from(indexes, ({ fulfilled = 0 }) => fulfilled),
  };
}

/** A chunk all of whose documents are those of an index. */
export function wholePart(index: number, { base, documents }: SearchChunk): ChunkPart {
  return { index, from: 0, to: documents, base };
}
