import { setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { rankedRows, type SortKey } from './ranking.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** Ranks the indexes of `counts` from `first` on, without those of a count of 0: largest counts first, ties by index. */
export function* mostFrequent(
  counts: Uint32Array,
  first: number,
  offset: number,
  limit: number,
): Generator<void, number[]> {
  const sets: DocumentSet[] = [];
  // `rankedRows` ranks the indexes as if they were rows, in sets of 65,536.
  for (let base = 0; base < counts.length; base += chunkDocumentsMax) {
    const setCounts = counts.subarray(base, base + chunkDocumentsMax);
    const bitmap = new Uint32Array(chunkDocumentsMax / 32);
    runWithoutInlining(markCounted, setCounts, Math.max(0, first - base), bitmap);
    sets.push(setOfBitmap(bitmap));
    yield;
  }
  return yield* rankedRows(sets, [mostFrequentFirst(counts)], offset, limit);
}

function markCounted(counts: Uint32Array, first: number, bitmap: Uint32Array): void {
  for (let at = first; at < counts.length; at++) {
    if (counts[at]! > 0) bitmap[at >>> 5]! |= 1 << (at & 31);
  }
}

function mostFrequentFirst(counts: Uint32Array): SortKey {
  const max = runWithoutInlining(largestOf, counts);
  const keys = new Uint32Array(chunkDocumentsMax);
  return {
    max,
    // oxlint-disable-next-line require-yield -- Other keys take several steps.
    *keys(chunk, members) {
      const base = chunk * chunkDocumentsMax;
      for (let at = 0; at < members.length; at++) keys[at] = max - counts[base + members[at]!]!;
      return keys;
    },
  };
}

function largestOf(counts: Uint32Array): number {
  let largest = 0;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    if (count > largest) largest = count;
  }
  return largest;
}
