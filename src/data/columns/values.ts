import type { Value } from '../axis.ts';
import { emptySet, membersOf, setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { rankedRows, type SortKey } from './ranking.ts';
import type { AxisReading, Selection } from './selection.ts';
import { unreadOf } from './unread.ts';

export interface ValuesQuery extends Selection {
  readonly column: string;
  readonly offset: number;
  readonly limit: number;
}

export interface ValuesResult {
  /** Values as the source wrote them, the most frequent first, then in their order. */
  readonly items: readonly { readonly value: Value; readonly count: number }[];
  /** Number of distinct values. */
  readonly total: number;
  /** Selected records without a value; missing markers of a typed column are none. */
  readonly nulls: number;
  readonly unread: Readonly<Record<string, number>>;
}

/** Counts the values of a column in the selected records. */
export function* countValues(
  reading: AxisReading,
  query: ValuesQuery,
): Generator<void, ValuesResult> {
  const scan = reading.scans.of(query.column);
  const { column } = scan;
  const sets = yield* reading.select(query);
  const counts = new Uint32Array(column.codes);
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const codes = scan.codes(chunk);
    const members = membersOf(set);
    for (let at = 0; at < members.length; at++) counts[codes[members[at]!]!]!++;
    yield;
  }
  let [nulls, total] = [0, 0];
  for (let code = 0; code < column.firstReadable; code++) nulls += counts[code]!;
  for (let code = column.firstReadable; code < column.codes; code++) if (counts[code]! > 0) total++;
  const { offset, limit } = query;
  const codes = yield* rankedRows(
    setsOfCounted(counts, column.firstReadable),
    [mostFrequentFirst(counts)],
    offset,
    limit,
  );
  return {
    items: codes.map((code) => ({ value: column.valueOf(code), count: counts[code]! })),
    total,
    nulls,
    unread: unreadOf(reading, query.condition, [query.column]),
  };
}

/** Codes from `first` on that occur, as sets of 65,536 codes each: they are ranked as records are. */
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
      for (const member of members) keys[member] = max - counts[base + member]!;
      return keys;
    },
  };
}
