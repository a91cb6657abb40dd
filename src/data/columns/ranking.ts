import { membersOf, setOfList, slice, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** One key of an order: a whole number for each record, the smallest first. */
export interface SortKey {
  /** Largest key, below 2^31. */
  readonly max: number;
  /** Keys of the records `members` of a chunk, at the start of an array that is valid until the next call. */
  keys(chunk: number, members: Uint16Array): Generator<void, Uint32Array>;
}

/**
 * Rows `offset` to `offset + limit` of the selected records in the order of `keys`; ties by row. `sets` has the records
 * of each chunk.
 *
 * Only the records of the page are sorted. All records are counted by ranges of the first key; the ranges in which the
 * page begins and ends are counted more finely, until a few thousand records are left to compare. So the cost depends on
 * the number of records and hardly on the offset.
 */
export function* rankedRows(
  sets: readonly DocumentSet[],
  keys: readonly SortKey[],
  offset: number,
  limit: number,
): Generator<void, number[]> {
  return yield* pageOf({ sets, from: 0, to: keys[0]?.max ?? 0 }, keys, offset, limit);
}

/** Members of sets whose first key is from `from` to `to`. */
interface KeyRange {
  readonly sets: readonly DocumentSet[];
  readonly from: number;
  readonly to: number;
}

function* pageOf(
  range: KeyRange,
  keys: readonly SortKey[],
  offset: number,
  limit: number,
): Generator<void, number[]> {
  const count = countMembers(range.sets);
  if (limit <= 0 || offset >= count) return [];
  if (keys.length === 0) return rowsInOrder(range.sets, offset, limit);
  if (count <= comparedMax) return yield* comparedRows(range, keys, offset, limit);
  if (range.from === range.to) {
    const next = keys.slice(1);
    return yield* pageOf({ ...range, from: 0, to: next[0]?.max ?? 0 }, next, offset, limit);
  }
  const rows: number[] = [];
  for (const part of yield* partsOfPage(range, keys[0]!, offset, limit)) {
    const { sets } = range;
    const found =
      part.count <= comparedMax
        ? yield* comparedRows({ ...part, sets }, keys, part.offset, part.limit)
        : yield* pageOf(
            { ...part, sets: yield* setsWithin(sets, keys[0]!, part) },
            keys,
            part.offset,
            part.limit,
          );
    // A call cannot pass more than some 100,000 arguments.
    for (const row of found) rows.push(row);
  }
  return rows;
}

/** The part of a page in one range of the first key: `limit` of its `count` members, from `offset` within the range. */
interface PagePart {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly offset: number;
  readonly limit: number;
}

/** Divides a page by ranges of the first key. Neighbouring ranges with few members are joined. */
function* partsOfPage(
  { sets, from, to }: KeyRange,
  key: SortKey,
  offset: number,
  limit: number,
): Generator<void, PagePart[]> {
  const shift = Math.max(0, 32 - Math.clz32(to - from) - bucketBits);
  const counts = new Uint32Array(((to - from) >>> shift) + 1);
  yield* countBuckets(sets, key, from, shift, counts);
  const parts: PagePart[] = [];
  let before = 0;
  let joined: { firstBucket: number; before: number; count: number } | null = null;
  const close = (end: number): void => {
    if (joined === null) return;
    const start = Math.max(0, offset - joined.before);
    const taken = Math.min(joined.count, offset + limit - joined.before) - start;
    const last = Math.min(to, from + end * 2 ** shift - 1);
    const first = from + joined.firstBucket * 2 ** shift;
    parts.push({ from: first, to: last, count: joined.count, offset: start, limit: taken });
    joined = null;
  };
  for (let bucket = 0; bucket < counts.length && before < offset + limit; bucket++) {
    const count = counts[bucket]!;
    if (count > 0 && before + count > offset) {
      if (joined !== null && joined.count + count > comparedMax) close(bucket);
      joined ??= { firstBucket: bucket, before, count: 0 };
      joined.count += count;
    }
    before += count;
    if (before >= offset + limit) close(bucket + 1);
  }
  close(counts.length);
  return parts;
}

function* countBuckets(
  sets: readonly DocumentSet[],
  key: SortKey,
  from: number,
  shift: number,
  counts: Uint32Array,
): Generator<void, void> {
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = membersOf(set);
    const keys = yield* key.keys(chunk, members);
    runWithoutInlining(countKeys, keys, members.length, from, shift, counts);
    yield;
  }
}

function countKeys(
  keys: Uint32Array,
  length: number,
  from: number,
  shift: number,
  counts: Uint32Array,
): void {
  for (let at = 0; at < length; at++) counts[(keys[at]! - from) >>> shift]!++;
}

function* setsWithin(
  sets: readonly DocumentSet[],
  key: SortKey,
  { from, to }: PagePart,
): Generator<void, DocumentSet[]> {
  const within: DocumentSet[] = [];
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) {
      within.push(set);
      continue;
    }
    const members = membersOf(set);
    const inside = new Uint16Array(members.length);
    const keys = yield* key.keys(chunk, members);
    const used = runWithoutInlining(takeWithin, keys, members, from, to, inside);
    within.push(setOfList(inside.slice(0, used)));
    yield;
  }
  return within;
}

/** Reads the keys of the few members of a range and sorts them. */
function* comparedRows(
  { sets, from, to }: KeyRange,
  keys: readonly SortKey[],
  offset: number,
  limit: number,
): Generator<void, number[]> {
  const candidates: { readonly row: number; readonly keys: readonly number[] }[] = [];
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = yield* membersWithin(membersOf(set), keys[0]!, chunk, from, to);
    yield;
    if (members.length === 0) continue;
    const columns: Uint32Array[] = [];
    for (const key of keys)
      columns.push((yield* key.keys(chunk, members)).slice(0, members.length));
    for (let at = 0; at < members.length; at++) {
      const row = chunk * chunkDocumentsMax + members[at]!;
      candidates.push({ row, keys: columns.map((column) => column[at]!) });
    }
  }
  candidates.sort((a, b) => {
    for (let at = 0; at < keys.length; at++) {
      const difference = a.keys[at]! - b.keys[at]!;
      if (difference !== 0) return difference;
    }
    return a.row - b.row;
  });
  return candidates.slice(offset, offset + limit).map(({ row }) => row);
}

/** Those members of a chunk whose key is from `from` to `to`. */
function* membersWithin(
  members: Uint16Array,
  key: SortKey,
  chunk: number,
  from: number,
  to: number,
): Generator<void, Uint16Array> {
  const inside = new Uint16Array(Math.min(members.length, comparedMax + 1));
  const keys = yield* key.keys(chunk, members);
  return inside.subarray(0, runWithoutInlining(takeWithin, keys, members, from, to, inside));
}

/** Puts the members whose key is from `from` to `to` at the start of `inside`; returns their number. */
function takeWithin(
  keys: Uint32Array,
  members: Uint16Array,
  from: number,
  to: number,
  inside: Uint16Array,
): number {
  let used = 0;
  for (let at = 0; at < members.length; at++) {
    const key = keys[at]!;
    inside[used] = members[at]!;
    // Every member is written and only those inside are counted: a branch is mispredicted too often.
    used += 1 + (((key - from) | (to - key)) >> 31);
  }
  return used;
}

/** Rows `offset` to `offset + limit` of the members of `sets`, in the order of the records. */
export function rowsInOrder(sets: readonly DocumentSet[], offset: number, limit: number): number[] {
  const rows: number[] = [];
  let skip = offset;
  for (const [chunk, set] of sets.entries()) {
    if (rows.length === limit) break;
    if (skip < set.count) {
      for (const document of slice(set, skip, limit - rows.length)) {
        rows.push(chunk * chunkDocumentsMax + document);
      }
    }
    skip = Math.max(0, skip - set.count);
  }
  return rows;
}

export function countMembers(sets: readonly DocumentSet[]): number {
  return sets.reduce((sum, set) => sum + set.count, 0);
}

/** Limit on members that are sorted by comparison; more are divided by ranges first. */
const comparedMax = 4096;
/** Bits of the ranges that are counted at once: 2^16 counts stay in the processor's cache. */
const bucketBits = 16;
