/**
 * Sorts indexes by their texts, in the order of UTF-16 units; `compare` decides between equal texts. It makes a number
 * of the next two units of each text and its position, because numbers are sorted without calls of `compare`.
 */
export function sortByText(
  order: Uint32Array,
  texts: readonly string[],
  compare: (a: number, b: number) => number,
): void {
  sortFrom(order, 0);

  function sortFrom(part: Uint32Array, start: number): void {
    if (part.length < compareMax || part.length > placesMax || start > unitsMax) {
      part.sort(compare);
      return;
    }
    const keys = new Float64Array(part.length);
    for (let at = 0; at < part.length; at++) {
      keys[at] = unitsAt(texts[part[at]!]!, start) * placesMax + at;
    }
    keys.sort();
    const before = part.slice();
    let groupStart = 0;
    let group = -1;
    for (let at = 0; at < part.length; at++) {
      const units = Math.floor(keys[at]! / placesMax);
      part[at] = before[keys[at]! - units * placesMax]!;
      if (units === group) continue;
      if (at > groupStart + 1) sortFrom(part.subarray(groupStart, at), start + 2);
      [group, groupStart] = [units, at];
    }
    if (groupStart < part.length - 1 && groupStart >= 0)
      sortFrom(part.subarray(groupStart), start + 2);
  }
}

/** Number of two units; the end of a text comes before any unit. */
function unitsAt(text: string, at: number): number {
  const first = at < text.length ? text.charCodeAt(at) + 1 : 0;
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) + 1 : 0;
  return first * 0x1_0001 + second;
}

/** Fewer texts are sorted by `compare`. */
const compareMax = 24;
/** Limit on positions, so that the number of two units and a position is exact in a double. */
const placesMax = 2 ** 20;
/** Texts whose first units are equal up to here are sorted by `compare`. */
const unitsMax = 128;
