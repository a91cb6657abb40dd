import { countInRange, type DocumentSet } from './document-set.ts';
import type { ChunkPart } from './part-search.ts';

/** Numbers of the members of a set in each part of a chunk. */
export function countByPart(set: DocumentSet, parts: readonly ChunkPart[]): Uint32Array {
  const counts = new Uint32Array(parts.length);
  if (set.count === 0) return counts;
  if (set.list === null) {
    for (let at = 0; at < parts.length; at++)
      counts[at] = countInRange(set, parts[at]!.from, parts[at]!.to);
    return counts;
  }
  const { list } = set;
  if (list.length < parts.length) {
    let at = 0;
    for (const document of list) {
      at = firstBehind(parts, document, at);
      if (at === parts.length) break;
      if (parts[at]!.from <= document) counts[at]!++;
    }
    return counts;
  }
  let next = 0;
  for (let at = 0; at < parts.length; at++) {
    const { from, to } = parts[at]!;
    while (next < list.length && list[next]! < from) next++;
    const first = next;
    while (next < list.length && list[next]! < to) next++;
    counts[at] = next - first;
  }
  return counts;
}

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
function firstBehind(parts: readonly ChunkPart[], document: number, first = 0): number {
  let from = first;
  let to = parts.length;
  // Often it is the first itself.
  if (from < to && parts[from]!.to > document) return from;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (parts[middle]!.to <= document) from = middle + 1;
    else to = middle;
  }
  return from;
}
