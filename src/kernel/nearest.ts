/** The candidate closest to a typed name; null when none is close enough to be a typing error. */
export function nearest(typed: string, candidates: Iterable<string>): string | null {
  return nearestFew(typed, candidates, 1)[0] ?? null;
}

/** Up to `count` close candidates, closest first, then in alphabetical order. */
export function nearestFew(typed: string, candidates: Iterable<string>, count: number): string[] {
  const name = typed.slice(0, nameLengthMax).toLowerCase();
  const distanceMax = Math.max(1, Math.floor(name.length / 3));
  const close: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = distanceOf(name, candidate.toLowerCase(), distanceMax);
    if (distance <= distanceMax) close.push({ candidate, distance });
  }
  close.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return close.slice(0, count).map(({ candidate }) => candidate);
}

/** Longer names are cut: the cost grows with the square of the length. */
const nameLengthMax = 40;

/** Damerau-Levenshtein distance (optimal string alignment): two swapped letters cost 1, as does a prefix. */
function distanceOf(a: string, b: string, distanceMax: number): number {
  if (a.length >= 3 && b.startsWith(a)) return 1;
  // The length alone rules out most candidates.
  if (Math.abs(b.length - a.length) > distanceMax) return Infinity;
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, older[j - 2]! + 1);
      }
      row.push(best);
    }
    older = previous;
    previous = row;
  }
  return previous[b.length]!;
}
