import type { GroupedRecords } from './grouped-records.ts';
import type { ColumnScan } from './column-scan.ts';

/**
 * Number of distinct values of a column by group, unread ones included. A bit stands for a code in a group; where the
 * bits of all codes take too much memory, codes are counted range by range.
 */
export function* distinctCounts(
  records: GroupedRecords,
  scan: ColumnScan,
): Generator<void, Uint32Array> {
  const { firstReadable, codes: end } = scan.column;
  const counts = new Uint32Array(records.count);
  const rangeSize = Math.max(1, Math.floor(bitsMax / Math.max(1, records.count)));
  for (let from = firstReadable; from < end; from += rangeSize) {
    const size = Math.min(rangeSize, end - from);
    const seen = new Uint32Array(((size * records.count) >>> 5) + 1);
    for (const { chunk, members, groups } of records.chunks()) {
      const codes = scan.codes(chunk);
      for (let at = 0; at < members.length; at++) {
        const group = groups[at]!;
        const offset = (codes[members[at]!]! - from) >>> 0;
        if (group < 0 || offset >= size) continue;
        const bit = group * size + offset;
        const mask = 1 << (bit & 31);
        if ((seen[bit >>> 5]! & mask) !== 0) continue;
        seen[bit >>> 5]! |= mask;
        counts[group]!++;
      }
      yield;
    }
  }
  return counts;
}

/** 32 MB. */
const bitsMax = 2 ** 28;
