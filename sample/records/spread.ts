import type { Listing, Row } from '../listing.ts';
import { districts, divideByDongs, type District } from '../place.ts';

/** Records of all districts with consecutive numbers, in the order of the district codes. */
export interface Spread extends Listing<Row> {
  /** Records of the districts whose codes start with `code`. */
  readonly withCode: (code: string) => Listing<Row>;
}

/** `count` records, divided among the districts in proportion to their dongs. */
export function spread(count: number, make: (index: number, district: District) => Row): Spread {
  const starts = [0];
  for (const share of divideByDongs(count)) starts.push((starts.at(-1) ?? 0) + share);
  const at = (index: number): Row | undefined => {
    if (index < 0 || index >= count) return undefined;
    const district = districts[lastAtMost(starts, index)];
    return district === undefined ? undefined : make(index, district);
  };
  return {
    length: count,
    at,
    withCode(code) {
      const first = districts.findIndex((district) => district.code.startsWith(code));
      if (first === -1) return [];
      const last = districts.findLastIndex((district) => district.code.startsWith(code));
      const from = starts[first] ?? 0;
      const length = (starts[last + 1] ?? count) - from;
      return { length, at: (index) => (index < length ? at(from + index) : undefined) };
    },
  };
}

/** Position of the last of the sorted starts that is at most `index`. */
function lastAtMost(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? Infinity) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
