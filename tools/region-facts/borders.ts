import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from './sheets.ts';

/** A dong of 2018 with the statistics office's code and the centre of its largest part. */
export interface Area {
  readonly code: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly squareKm: number;
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

/** Centre and area of the largest part of each dong of 2018. */
export function dongAreas({ arcs, objects }: Topology): Area[] {
  return Object.values(objects).flatMap(({ geometries }) =>
    geometries.map((geometry) => {
      const middles = polygonsOf(geometry).map(([ring = []]) =>
        centreOf(
          ring.flatMap((arc) => (arc < 0 ? [...(arcs[~arc] ?? [])].reverse() : (arcs[arc] ?? []))),
        ),
      );
      const [largest] = middles.sort((a, b) => b.size - a.size);
      if (largest === undefined) throw new Error(`${geometry.properties.name} has no area.`);
      const squareKm = (largest.size / 2) * kmPerLat * kmPerLon;
      return { ...geometry.properties, lat: largest.lat, lon: largest.lon, squareKm };
    }),
  );
}

function polygonsOf({ type, arcs }: Geometry): number[][][] {
  return type === 'MultiPolygon' ? (arcs as number[][][]) : [arcs as number[][]];
}

/** Kilometres in a degree at the centre of Korea. */
const [kmPerLat, kmPerLon] = [111, 88];
/** Points on both sides of a border; in towns the nearest dong would otherwise often be across the border. */
const border = { squareKmMax: 12, stepKm: 0.5, offsetKm: 0.11 };

/** Points on both sides of borders between regions. Rings are clockwise: the dong that uses an arc forwards is on its right. */
export function* borderPoints(
  { arcs, objects }: Topology,
  areas: readonly Area[],
  living: ReadonlyMap<string, string>,
): Generator<{ code: string; lat: number; lon: number }> {
  const [right, left] = [new Map<number, string>(), new Map<number, string>()];
  for (const geometry of Object.values(objects).flatMap(({ geometries }) => geometries)) {
    for (const arc of polygonsOf(geometry).flat(2)) {
      if (arc < 0) left.set(~arc, geometry.properties.code);
      else right.set(arc, geometry.properties.code);
    }
  }
  const size = new Map(areas.map(({ code, squareKm }) => [code, squareKm]));
  for (const [index, points] of arcs.entries()) {
    const [one, other] = [right.get(index) ?? '', left.get(index) ?? ''];
    const [here, there] = [living.get(one), living.get(other)];
    if (here === undefined || there === undefined) continue;
    // Points between parts of one region would shift its borders with other regions.
    if (regionOf(here) === regionOf(there)) continue;
    if (Math.min(size.get(one) ?? 0, size.get(other) ?? 0) > border.squareKmMax) continue;
    for (const { lat, lon, north, east } of pointsAlong(points)) {
      yield { code: here, lat: lat - north, lon: lon - east };
      yield { code: there, lat: lat + north, lon: lon + east };
    }
  }
}

function regionOf(part: string): string {
  return part.split(' ', 1)[0] ?? '';
}

/** Points along an arc at equal steps, each with the offset to its left. */
function* pointsAlong(
  points: readonly (readonly [number, number])[],
): Generator<{ lat: number; lon: number; north: number; east: number }> {
  let next = border.stepKm / 2;
  for (let index = 1; index < points.length; index++) {
    const [x0, y0] = points[index - 1] ?? [0, 0];
    const [x1, y1] = points[index] ?? [0, 0];
    const [east, north] = [(x1 - x0) * kmPerLon, (y1 - y0) * kmPerLat];
    const length = Math.hypot(east, north);
    for (; next < length; next += border.stepKm) {
      yield {
        lon: x0 + ((x1 - x0) * next) / length,
        lat: y0 + ((y1 - y0) * next) / length,
        east: (-north / length) * (border.offsetKm / kmPerLon),
        north: (east / length) * (border.offsetKm / kmPerLat),
      };
    }
    next -= length;
  }
}

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
