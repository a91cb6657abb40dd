import {
  copyOf,
  emptySet,
  fullSet,
  intersect,
  narrowed,
  type DocumentSet,
} from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { KeyCount, SearchChunk } from './index-file.ts';
import { postingBytesMax } from './postings.ts';

/**
 * Documents of a chunk that have all keys. Reads the rarest key first, and nothing if a key is absent. A common word has
 * ten keys in each of hundreds of chunks: their sets are read into two rooms, and only what they share is kept.
 */
export function documentsWith(chunk: SearchChunk, keys: readonly GramKey[]): DocumentSet {
  if (keys.length === 0) return fullSet(chunk.documents);
  if (keys.length === 1) return chunk.setOf(keys[0]!);
  const keysByCount: KeyCount[] = [];
  for (const key of keys) keysByCount.push({ key, count: chunk.countOf(key) });
  keysByCount.sort((a, b) => a.count - b.count);
  const [rarest, ...others] = keysByCount;
  let documents = chunk.setOf(rarest!.key, firstRoom);
  for (const { key, count } of others) {
    if (documents.count === 0) return emptySet;
    // A key that every document has excludes none.
    if (count < chunk.documents) documents = narrowed(documents, chunk.setOf(key, otherRoom));
  }
  return copyOf(documents);
}

/** Members of a set of the chunk that have a key. */
export function membersWith(chunk: SearchChunk, set: DocumentSet, key: GramKey): DocumentSet {
  return intersect(set, chunk.setOf(key, otherRoom));
}

/** Rooms that all chunks share: reading and intersecting are one synchronous act. */
const firstRoom = new Uint8Array(postingBytesMax);
const otherRoom = new Uint8Array(postingBytesMax);
