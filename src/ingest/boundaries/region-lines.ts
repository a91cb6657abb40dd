import type { BorderLine } from '../../data/regions/border-lines.ts';
import { joinLines } from '../../data/regions/outlines.ts';
import { simplifyLine } from './simplify-line.ts';

/** An area of a region; several areas of one region are joined. */
interface RegionArea {
  readonly code: string;
  /** Closed lines with the area on their left. */
  readonly rings: readonly Int32Array[];
}

/** Lines between regions, and between a region and the sea, simplified so that neighbours still share them. */
export function regionLines(areas: readonly RegionArea[]): BorderLine[] {
  const edges = sidedEdges(areas);
  const byNames = new Map<string, Int32Array[]>();
  for (const { left, right, positions } of edges.values()) {
    if (left === right) continue;
    const key = `${left}\n${right}`;
    const list = byNames.get(key);
    if (list === undefined) byNames.set(key, [positions]);
    else list.push(positions);
  }
  return [...byNames].flatMap(([key, list]) => {
    const names = key.split('\n') as [string, string];
    const toleranceKm = names.includes('') ? coastToleranceKm : borderToleranceKm;
    return joinLines(list)
      .map(({ positions }) => ({ names, positions: simplifyLine(positions, toleranceKm) }))
      .filter(({ positions }) => positions.length > 2);
  });
}

/** Largest distances of a simplified line: a map of a district has pixels of 50 m. */
const borderToleranceKm = 0.03;
const coastToleranceKm = 0.1;

interface SidedEdge {
  readonly left: string;
  /** Empty unless the area of another region has the edge the other way. */
  right: string;
  readonly positions: Int32Array;
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
            positions: ring.slice(at, at + 4),
          });
      }
    }
  }
  return edges;
}
