import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from './sheets.ts';

/** A dong of 2018 with the statistics office's code and the centre of its largest part. */
export interface Area {
  readonly code: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}

export function readTopology(): Topology {
  const file = path.join(folder, 'boundaries-2018/skorea-submunicipalities-2018-topo-simple.json');
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): [number, number] => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  return { ...topology, arcs };
}

/** Centre of the largest part of each dong of 2018. */
export function dongAreas({ arcs, objects }: Topology): Area[] {
  return Object.values(objects).flatMap(({ geometries }) =>
    geometries.map((geometry) => {
      const centres = polygonsOf(geometry).map(([ring = []]) =>
        centreOf(
          ring.flatMap((arc) => (arc < 0 ? [...(arcs[~arc] ?? [])].reverse() : (arcs[arc] ?? []))),
        ),
      );
      const [largest] = centres.sort((a, b) => b.size - a.size);
      if (largest === undefined) throw new Error(`${geometry.properties.name} has no area.`);
      const { code, name } = geometry.properties;
      return { code, name, lat: largest.lat, lon: largest.lon };
    }),
  );
}

function polygonsOf({ type, arcs }: Geometry): number[][][] {
  return type === 'MultiPolygon' ? (arcs as number[][][]) : [arcs as number[][]];
}

/** Kilometres in a degree at the centre of Korea. */
const [kmPerLat, kmPerLon] = [111, 88];
/** Largest distance of a simplified line from the real one. Coasts are coarser, since positions are not in the sea. */
const toleranceKm = { border: 0.02, coast: 0.2 };
/** Part of a current region: its code, then a dong of the part if former regions divide the region. */
type Part = string;

/**
 * Lines `[left part, right part, "lat lon dlat dlon …", …]` of the borders between parts and with the sea (`''`), in
 * 10⁻⁴ degrees. Rings are clockwise: the dong that uses an arc forwards is on its right.
 */
export function borderLines(
  { arcs, objects }: Topology,
  partOf: (area: string) => Part | undefined,
): string[][] {
  const [right, left] = [new Map<number, string>(), new Map<number, string>()];
  for (const geometry of Object.values(objects).flatMap(({ geometries }) => geometries)) {
    for (const arc of polygonsOf(geometry).flat(2)) {
      if (arc < 0) left.set(~arc, geometry.properties.code);
      else right.set(arc, geometry.properties.code);
    }
  }
  const lines = new Map<string, string[]>();
  for (const [index, points] of arcs.entries()) {
    const [onLeft, onRight] = [left, right].map((side) => partOf(side.get(index) ?? '') ?? '');
    if (onLeft === undefined || onRight === undefined || onLeft === onRight) continue;
    const tolerance = onLeft === '' || onRight === '' ? toleranceKm.coast : toleranceKm.border;
    const key = `${onLeft}\n${onRight}`;
    const line = deltas(simplified(points, tolerance));
    if (line !== '') lines.set(key, [...(lines.get(key) ?? []), line]);
  }
  return [...lines].map(([key, list]) => [...key.split('\n'), ...list]).sort(byParts);
}

function byParts(a: readonly string[], b: readonly string[]): number {
  return `${a[0]}\n${a[1]}` < `${b[0]}\n${b[1]}` ? -1 : 1;
}

/** Points as `lat lon dlat dlon …`. A point that equals the one before is left out; empty if only one point remains. */
function deltas(points: readonly Point[]): string {
  let [x, y] = [0, 0];
  const values = points.flatMap(([lon, lat]) => {
    const [east, north] = [Math.round(lon * unitsPerDegree), Math.round(lat * unitsPerDegree)];
    if (east === x && north === y) return [];
    const delta = [north - y, east - x];
    [x, y] = [east, north];
    return delta;
  });
  return values.length > 2 ? values.join(' ') : '';
}

const unitsPerDegree = 10_000;

/**
 * Simplifies a line by leaving out points (Douglas–Peucker). No such point is farther than the tolerance from the result.
 * A ring keeps the point farthest from its start.
 */
function simplified(points: readonly Point[], tolerance: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 3) return points;
  const distances = points.map((point) => distanceKm(point, first, last));
  const far = distances.reduce((best, one, at) => (one > (distances[best] ?? 0) ? at : best), 0);
  const isRing = first[0] === last[0] && first[1] === last[1];
  if ((distances[far] ?? 0) <= tolerance && !isRing) return [first, last];
  const before = simplified(points.slice(0, far + 1), tolerance);
  return [...before, ...simplified(points.slice(far), tolerance).slice(1)];
}

function distanceKm(point: Point, from: Point, to: Point): number {
  const [x, y] = [(point[0] - from[0]) * kmPerLon, (point[1] - from[1]) * kmPerLat];
  const [dx, dy] = [(to[0] - from[0]) * kmPerLon, (to[1] - from[1]) * kmPerLat];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / square));
  return Math.hypot(x - along * dx, y - along * dy);
}

type Point = readonly [lon: number, lat: number];

/** TopoJSON; once read, its arcs are degrees. */
interface Topology {
  readonly transform: { readonly scale: [number, number]; readonly translate: [number, number] };
  readonly arcs: readonly (readonly [number, number][])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Geometry[] }>>;
}

interface Geometry {
  readonly type: string;
  readonly arcs: number[][] | number[][][];
  readonly properties: { readonly code: string; readonly name: string };
}

function centreOf(ring: readonly [number, number][]): { lat: number; lon: number; size: number } {
  let [area, x, y] = [0, 0, 0];
  for (let index = 0; index < ring.length; index++) {
    const [x0, y0] = ring[index] ?? [0, 0];
    const [x1, y1] = ring[(index + 1) % ring.length] ?? [0, 0];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return { lat: y / (3 * area), lon: x / (3 * area), size: Math.abs(area) };
}
