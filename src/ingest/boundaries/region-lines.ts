import type { BorderLine } from '../../data/regions/border-lines.ts';
import { joinLines } from '../../data/regions/outlines.ts';
import { simplifyLine } from './simplify-line.ts';

/** An area of a region. Areas with the same code become one region. */
interface RegionArea {
  readonly code: string;
  /** Closed lines with the area on their left. */
  readonly rings: readonly Int32Array[];
}

/** Lines between regions, and between a region and the sea, simplified so that neighbours still share them. */
export function regionLines(areas: readonly RegionArea[]): BorderLine[] {
  const edges = sidedEdges(areas);
  const edgesBySides = new Map<string, Int32Array[]>();
  for (const { left, right, ends } of edges.values()) {
    if (left === right) continue;
    const key = `${left}\n${right}`;
    const list = edgesBySides.get(key);
    if (list === undefined) edgesBySides.set(key, [ends]);
    else list.push(ends);
  }
  return [...edgesBySides].flatMap(([key, list]) => {
    const sides = key.split('\n') as [string, string];
    const toleranceKm = sides.includes('') ? coastToleranceKm : borderToleranceKm;
    return joinLines(list)
      .map(({ positions }) => ({ sides, positions: simplifyLine(positions, toleranceKm) }))
      .filter(({ positions }) => positions.length > 2);
  });
}

/** Largest distance between a simplified line and the original. A map of a district has pixels of 50 m. */
const borderToleranceKm = 0.03;
const coastToleranceKm = 0.1;

interface SidedEdge {
  /** Code of the region whose area has the edge in this direction. */
  readonly left: string;
  /** Code of the region whose area has the edge in the opposite direction; empty if none has. */
  right: string;
  /** Latitude and longitude of the start, then of the end. */
  readonly ends: Int32Array;
}

/** Every edge once, with the regions on both of its sides. */
function sidedEdges(areas: readonly RegionArea[]): ReadonlyMap<string, SidedEdge> {
  const edges = new Map<string, SidedEdge>();
  for (const { code, rings } of areas) {
    for (const ring of rings) {
      for (let at = 0; at + 3 < ring.length; at += 2) {
        const [lat, lon, nextLat, nextLon] = ring.subarray(at, at + 4);
        const reverse = edges.get(`${nextLat} ${nextLon} ${lat} ${lon}`);
        if (reverse !== undefined && reverse.right === '') reverse.right = code;
        else
          edges.set(`${lat} ${lon} ${nextLat} ${nextLon}`, {
            left: code,
            right: '',
            ends: ring.slice(at, at + 4),
          });
      }
    }
  }
  return edges;
}
