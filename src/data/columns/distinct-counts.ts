import type { GroupedRecords } from './grouped-records.ts';
import type { ColumnScan } from './column-scan.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/**
 * Number of distinct values of a column by group, unreadable ones included. A bit for each code and group is set when the
 * code was seen. If the bits of all codes take too much memory, codes are counted range by range.
 */
export function* distinctCounts(
  records: GroupedRecords,
  scan: ColumnScan,
): Generator<void, Uint32Array> {
  const { firstReadable, codeCount: end } = scan.column;
  // One more, for the records of groups that were left out.
  const groups = records.count + 1;
  const counts = new Uint32Array(groups);
  const rangeSize = Math.max(1, Math.floor(bitsMax / groups));
  for (let from = firstReadable; from < end; from += rangeSize) {
    const size = Math.min(rangeSize, end - from);
    const seen = new Uint32Array(((size * groups) >>> 5) + 1);
    for (const { chunk, members, groups: memberGroups } of records.chunks()) {
      const { min } = scan.column.chunk(chunk);
      const codes = scan.codesOf(chunk, members);
      runWithoutInlining(
        countNew,
        codes,
        members.length,
        memberGroups,
        min - from,
        size,
        seen,
        counts,
      );
      yield;
    }
  }
  return counts;
}

/** Counts the codes not seen before in their group; `first` is the offset of the chunk's smallest code in the range. */
function countNew(
  codes: Uint32Array,
  length: number,
  groups: Int32Array,
  first: number,
  size: number,
  seen: Uint32Array,
  counts: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const offset = codes[at]! + first;
    if (offset < 0 || offset >= size) continue;
    const bit = groups[at]! * size + offset;
    const mask = 1 << (bit & 31);
    if ((seen[bit >>> 5]! & mask) !== 0) continue;
    seen[bit >>> 5]! |= mask;
    counts[groups[at]!]!++;
  }
}

/** Bits in memory: 32 MB. */
const bitsMax = 2 ** 28;
