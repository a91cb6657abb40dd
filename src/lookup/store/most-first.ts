/**
 * Positions of the counts above 0, the largest first, and of equal counts the first. A common word has matches in a
 * hundred thousand axes, mostly few in each: small counts are sorted by counting, six times as fast as by comparing.
 */
export function mostFirst(counts: Uint32Array): Uint32Array {
  const large: number[] = [];
  /** Number of positions with each small count; then the place of the next of them. */
  const places = new Uint32Array(smallMax + 1);
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    if (count > smallMax) large.push(at);
    else places[count]!++;
  }
  large.sort((a, b) => counts[b]! - counts[a]! || a - b);
  let next = large.length;
  for (let count = smallMax; count > 0; count--) {
    const positions = places[count]!;
    places[count] = next;
    next += positions;
  }
  const sorted = new Uint32Array(next);
  sorted.set(large);
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    if (count > 0 && count <= smallMax) sorted[places[count]!++] = at;
  }
  return sorted;
}

/** Counts above this are few, even among many axes. */
const smallMax = 4_095;
