import { emptySet, setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { rankedRows, type SortKey } from './ranking.ts';

/** Numbers from `first` on that have a count, those with the largest first, then the smallest numbers. */
export function* mostFrequent(
  counts: Uint32Array,
  first: number,
  offset: number,
  limit: number,
): Generator<void, number[]> {
  const sets = setsOfCounted(counts, first);
  return yield* rankedRows(sets, [mostFrequentFirst(counts)], offset, limit);
}

/** Numbers from `first` on with a count, as sets of 65,536 numbers each: they are ranked as records are. */
function setsOfCounted(counts: Uint32Array, first: number): DocumentSet[] {
  const sets: DocumentSet[] = [];
  for (let base = 0; base < counts.length; base += chunkDocumentsMax) {
    const bitmap = new Uint32Array(chunkDocumentsMax / 32);
    const end = Math.min(counts.length, base + chunkDocumentsMax);
    for (let code = Math.max(base, first); code < end; code++) {
      if (counts[code]! > 0) bitmap[(code - base) >>> 5]! |= 1 << (code & 31);
    }
    sets.push(end > first ? setOfBitmap(bitmap) : emptySet);
  }
  return sets;
}

function mostFrequentFirst(counts: Uint32Array): SortKey {
  let max = 0;
  for (let code = 0; code < counts.length; code++) max = Math.max(max, counts[code]!);
  const keys = new Uint32Array(chunkDocumentsMax);
  return {
    max,
    keys(chunk, members) {
      const base = chunk * chunkDocumentsMax;
      for (let at = 0; at < members.length; at++) keys[at] = max - counts[base + members[at]!]!;
      return keys;
    },
  };
}
