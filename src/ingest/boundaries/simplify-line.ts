import { unitsPerDegree } from '../../data/regions/border-lines.ts';

/** Simplifies a line: leaves out points within the tolerance of the result (Douglas–Peucker). Both ends stay. */
export function simplifyLine(positions: Int32Array, toleranceKm: number): Int32Array {
  const last = positions.length / 2 - 1;
  const isKept = new Uint8Array(last + 1);
  isKept[0] = isKept[last] = 1;
  const waiting: [from: number, to: number][] = [[0, last]];
  const isRing = positions[0] === positions[last * 2] && positions[1] === positions[last * 2 + 1];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const [from, to] = part;
    let [farthest, distance] = [from, 0];
    for (let at = from + 1; at < to; at++) {
      const one = distanceKm(positions, at, from, to);
      if (one > distance) [farthest, distance] = [at, one];
    }
    // A whole ring begins and ends at one place; without another point it would vanish.
    const isWholeRing = isRing && from === 0 && to === last;
    if (farthest === from || (distance <= toleranceKm && !isWholeRing)) continue;
    isKept[farthest] = 1;
    waiting.push([from, farthest], [farthest, to]);
  }
  return positions.filter((_, at) => isKept[at >> 1] === 1);
}

/** Distance of a point from the line between two others. */
function distanceKm(positions: Int32Array, at: number, from: number, to: number): number {
  const kmOf = (point: number): [x: number, y: number] => [
    ((positions[point * 2 + 1]! - positions[from * 2 + 1]!) / unitsPerDegree) * kmPerLon,
    ((positions[point * 2]! - positions[from * 2]!) / unitsPerDegree) * kmPerLat,
  ];
  const [[x, y], [dx, dy]] = [kmOf(at), kmOf(to)];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / square));
  return Math.hypot(x - along * dx, y - along * dy);
}

/** Kilometres in a degree in the middle of Korea. */
const [kmPerLat, kmPerLon] = [111, 88];
