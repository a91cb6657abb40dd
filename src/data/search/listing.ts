import { emptySet, slice, unite, type DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { SearchChunk, SearchIndex } from './index-file.ts';

/** Documents `offset` to `offset + limit` among those with any of the tags, in order, and their total. */
export function listTagged(
  index: SearchIndex,
  tags: readonly GramKey[],
  offset: number,
  limit: number,
): { documents: number[]; total: number } {
  const documents: number[] = [];
  let total = 0;
  for (const chunk of index.chunks) {
    const count = tags.length === 1 ? chunk.countOf(tags[0]!) : taggedSet(chunk, tags).count;
    const skip = Math.max(0, offset - total);
    if (skip < count && documents.length < limit) {
      const page = slice(taggedSet(chunk, tags), skip, limit - documents.length);
      for (const document of page) documents.push(chunk.base + document);
    }
    total += count;
  }
  return { documents, total };
}

/** The documents of a chunk that have any of the tags. */
export function taggedSet(chunk: SearchChunk, tags: readonly GramKey[]): DocumentSet {
  return tags.reduce<DocumentSet>((set, tag) => unite(set, chunk.setOf(tag)), emptySet);
}
