import type { GroupedRecords } from './grouped-records.ts';
import type { ColumnScan } from './column-scan.ts';

/**
 * Returns the median of a column by group, null for a group without numbers; the middle of the two middle numbers if
 * their count is even. Codes are in the order of their numbers, so the code in the middle is found by counting ranges
 * of codes, each pass in finer ones, in bounded memory.
 */
export function* medianCodes(
  records: GroupedRecords,
  scan: ColumnScan,
): Generator<void, (group: number) => number | null> {
  const { column } = scan;
  const counts = yield* countReadable(records, scan);
  const lower = yield* selectCodes(records, scan, counts, (count) => (count - 1) >>> 1);
  const upper = yield* selectCodes(records, scan, counts, (count) => count >>> 1);
  const power = 10 ** (column.scale ?? 0);
  return (group) => {
    if (counts[group] === 0) return null;
    const [a, b] = [column.numberOf(lower[group]!), column.numberOf(upper[group]!)];
    if (a === b) return a;
    return column.scale === null
      ? (a + b) / 2
      : (Math.round(a * power) + Math.round(b * power)) / (2 * power);
  };
}

function* countReadable(records: GroupedRecords, scan: ColumnScan): Generator<void, Uint32Array> {
  const counts = new Uint32Array(records.count);
  const { firstReadable, firstUnread } = scan.column;
  const size = firstUnread - firstReadable;
  for (const { chunk, members, groups } of records.chunks()) {
    const codes = scan.codes(chunk);
    for (let at = 0; at < members.length; at++) {
      const isReadable = (codes[members[at]!]! - firstReadable) >>> 0 < size;
      if (isReadable && groups[at]! >= 0) counts[groups[at]!]!++;
    }
    yield;
  }
  return counts;
}

/** Code of each group at a position among its readable codes in order. */
function* selectCodes(
  records: GroupedRecords,
  scan: ColumnScan,
  counts: Uint32Array,
  positionOf: (count: number) => number,
): Generator<void, Uint32Array> {
  const { firstReadable, firstUnread } = scan.column;
  const { count: groupCount } = records;
  const bits = bitsAtOnce(groupCount);
  /** First code of the range in which the wanted one is, and its position within the range. */
  const from = new Uint32Array(groupCount).fill(firstReadable);
  const position = counts.map((count) => (count === 0 ? 0 : positionOf(count)));
  let width = 32 - Math.clz32(Math.max(1, firstUnread - firstReadable - 1));
  while (width > 0) {
    const shift = Math.max(0, width - bits);
    const ranges = 2 ** (width - shift);
    const size = 2 ** width;
    const inRange = new Uint32Array(groupCount * ranges);
    for (const { chunk, members, groups } of records.chunks()) {
      const codes = scan.codes(chunk);
      for (let at = 0; at < members.length; at++) {
        const group = groups[at]!;
        const code = codes[members[at]!]!;
        if (group < 0 || code < firstReadable || code >= firstUnread) continue;
        const offset = (code - from[group]!) >>> 0;
        if (offset < size) inRange[group * ranges + (offset >>> shift)]!++;
      }
      yield;
    }
    for (let group = 0; group < groupCount; group++) {
      let range = group * ranges;
      if (counts[group] === 0) continue;
      while (position[group]! >= inRange[range]!) position[group]! -= inRange[range++]!;
      from[group]! += (range - group * ranges) * 2 ** shift;
    }
    width = shift;
  }
  return from;
}

/** Bits of a code that one pass decides, so that all counts take at most 4 MB. */
function bitsAtOnce(groups: number): number {
  return Math.max(1, 20 - (32 - Math.clz32(Math.max(1, groups))));
}
