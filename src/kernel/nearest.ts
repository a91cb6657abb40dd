/** The candidate closest to what was typed, or null when none is close enough to be a slip of the fingers. */
export function nearest(typed: string, candidates: Iterable<string>): string | null {
  return nearestFew(typed, candidates, 1)[0] ?? null;
}

/** Up to `count` close candidates, closest first, then in alphabetical order. */
export function nearestFew(typed: string, candidates: Iterable<string>, count: number): string[] {
  const wanted = typed.slice(0, typedMax).toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const close: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = distanceOf(wanted, candidate.toLowerCase(), allowed);
    if (distance <= allowed) close.push({ candidate, distance });
  }
  close.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return close.slice(0, count).map(({ candidate }) => candidate);
}

/** Longer names are not mistyped names, and the cost grows with the square of the length. */
const typedMax = 40;

/** Damerau-Levenshtein (optimal string alignment): swapped neighbours are one slip. A prefix costs little. */
function distanceOf(a: string, b: string, distanceMax: number): number {
  if (a.length >= 3 && b.startsWith(a)) return 1;
  // Among hundreds of codes many differ too much in length alone.
  if (Math.abs(b.length - a.length) > distanceMax) return Infinity;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1);
      }
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
