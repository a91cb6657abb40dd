import { countInRange, type DocumentSet } from './document-set.ts';
import type { ChunkPart } from './part-search.ts';

/** The parts of a chunk with a member of a set, in their order. */
export function partsWith(set: DocumentSet, parts: readonly ChunkPart[]): ChunkPart[] {
  if (set.list === null || set.count > parts.length)
    return parts.filter(({ from, to }) => countInRange(set, from, to) > 0);
  const found: ChunkPart[] = [];
  let first = 0;
  for (const document of set.list) {
    if (found.length > 0 && document < found.at(-1)!.to) continue;
    first = firstBehind(parts, document, first);
    const part = parts[first];
    if (part === undefined) break;
    if (part.from <= document) found.push(part);
  }
  return found;
}

/** Position, from `first` on, of the first part that ends behind a document. */
export function firstBehind(parts: readonly ChunkPart[], document: number, first = 0): number {
  let from = first;
  let to = parts.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (parts[middle]!.to <= document) from = middle + 1;
    else to = middle;
  }
  return from;
}
