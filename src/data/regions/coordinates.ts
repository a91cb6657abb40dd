import { readBorderLines, unitsPerDegree } from './border-lines.ts';

/** Year of the borders by which positions are assigned. Regions divided later are divided along the dongs of that year. */
export const bordersYear = '2018';

export interface NearestRegion {
  /** Code of a current sigungu, or 36 for 세종. */
  readonly code: string;
  /** A dong with the same former regions as the position; null if the whole region has the same former regions. */
  readonly dong: string | null;
  /** Distance to the region's border; 0 inside it. */
  readonly distanceKm: number;
}

/**
 * The sigungu of a WGS84 position, at sea the nearest one; swapped values are corrected. With `among`, the nearest of
 * these regions. Null outside Korea, far from land, and for values that are not degrees (metres, `37°33′`).
 */
export function regionByCoordinates(
  lat: number,
  lon: number,
  among: ReadonlySet<string> | null = null,
): NearestRegion | null {
  if (inKorea(lat, lon)) return nearestRegion(lat, lon, among);
  return inKorea(lon, lat) ? nearestRegion(lon, lat, among) : null;
}

/** The smallest box with every island; positions at sea and in the North are outside. */
const box = { south: 33, north: 38.7, west: 124.5, east: 132 } as const;
/** Limit on the distance to a region: a position further away is far out at sea, or wrong. */
const distanceKmMax = 12;
const kmPerDegree = 111.2;
const bandDegrees = 0.0025;
const bands = Math.ceil((box.north - box.south) / bandDegrees) + 1;
/** Read on first use, because most commands need no borders. */
let borders: Borders | undefined;

/** Code of the sigungu in which a position lies; null at sea and outside Korea. */
export function regionAround(lat: number, lon: number): string | null {
  if (!inKorea(lat, lon)) return null;
  borders ??= readBorders();
  return partAround(borders, lat, lon)?.code ?? null;
}

function inKorea(lat: number, lon: number): boolean {
  return lat >= box.south && lat <= box.north && lon >= box.west && lon <= box.east;
}

function nearestRegion(
  lat: number,
  lon: number,
  among: ReadonlySet<string> | null,
): NearestRegion | null {
  borders ??= readBorders();
  const around = partAround(borders, lat, lon);
  if (around !== null && among?.has(around.code) !== false) return { ...around, distanceKm: 0 };
  return nearestPart(borders, lat, lon, among);
}

/** The part that contains a position: the one east of the nearest border to its west; null at sea. */
function partAround(borders: Borders, lat: number, lon: number): Part | null {
  const { starts, edges, lats, lons } = borders;
  const band = bandOf(lat);
  let nearest = -1;
  let nearestLon = -Infinity;
  const end = starts[band + 1] ?? 0;
  for (let at = starts[band] ?? 0; at < end; at++) {
    const edge = edges[at]!;
    const [south, north] = [lats[edge]!, lats[edge + 1]!];
    if (lat < south === lat < north) continue;
    const west = lons[edge]!;
    const crossing = west + ((lons[edge + 1]! - west) * (lat - south)) / (north - south);
    if (crossing <= lon && crossing > nearestLon) [nearest, nearestLon] = [edge, crossing];
  }
  if (nearest < 0) return null;
  const isNorthward = lats[nearest + 1]! > lats[nearest]!;
  return (isNorthward ? borders.right : borders.left)[nearest]!;
}

/** The part at the nearest border. Searches outwards, band by band, until no other border can be nearer. */
function nearestPart(
  borders: Borders,
  lat: number,
  lon: number,
  among: ReadonlySet<string> | null,
): NearestRegion | null {
  const { starts, edges, lats, lons } = borders;
  const lonScale = Math.cos((lat * Math.PI) / 180);
  const own = bandOf(lat);
  let best: Part | null = null;
  let bestDegrees = distanceKmMax / kmPerDegree;
  for (let away = 0; (away - 1) * bandDegrees < bestDegrees; away++) {
    for (const band of away === 0 ? [own] : [own - away, own + away]) {
      const end = starts[band + 1] ?? 0;
      for (let at = starts[band] ?? end; at < end; at++) {
        const edge = edges[at]!;
        const [x, y] = [(lons[edge]! - lon) * lonScale, lats[edge]! - lat];
        const dx = (lons[edge + 1]! - lons[edge]!) * lonScale;
        const dy = lats[edge + 1]! - lats[edge]!;
        const along = Math.min(1, Math.max(0, -(x * dx + y * dy) / (dx * dx + dy * dy)));
        const degrees = Math.hypot(x + along * dx, y + along * dy);
        if (degrees >= bestDegrees) continue;
        const part = [borders.left[edge]!, borders.right[edge]!].find(
          (side): side is Part => side !== null && among?.has(side.code) !== false,
        );
        if (part !== undefined) [best, bestDegrees] = [part, degrees];
      }
    }
  }
  return best === null ? null : { ...best, distanceKm: bestDegrees * kmPerDegree };
}

/** A current region, or a part of it that has former regions of its own. */
interface Part {
  readonly code: string;
  readonly dong: string | null;
}

interface Borders {
  /** First edge of each band of latitudes, and one past the last. */
  readonly starts: Int32Array;
  /** Edges by band: the first of two consecutive points. */
  readonly edges: Int32Array;
  readonly lats: Float64Array;
  readonly lons: Float64Array;
  /** Parts on both sides of the edge that begins at a point; null is the sea. */
  readonly left: readonly (Part | null)[];
  readonly right: readonly (Part | null)[];
}

function readBorders(): Borders {
  const [lats, lons]: [number[], number[]] = [[], []];
  const [left, right]: [(Part | null)[], (Part | null)[]] = [[], []];
  const edgesByBand: number[][] = Array.from({ length: bands }, () => []);
  const parts = new Map<string, Part>();
  for (const { sides, positions } of readBorderLines()) {
    const [leftPart, rightPart] = sides.map((side) => partOf(side, parts));
    for (let at = 0; at < positions.length; at += 2) {
      const point = lats.push(positions[at]! / unitsPerDegree) - 1;
      lons.push(positions[at + 1]! / unitsPerDegree);
      left.push(leftPart!);
      right.push(rightPart!);
      if (at > 0) addEdge(edgesByBand, point - 1, lats);
    }
  }
  const starts = new Int32Array(bands + 1);
  for (const [band, edges] of edgesByBand.entries())
    starts[band + 1] = starts[band]! + edges.length;
  return {
    starts,
    edges: Int32Array.from(edgesByBand.flat()),
    lats: Float64Array.from(lats),
    lons: Float64Array.from(lons),
    left,
    right,
  };
}

function partOf(name: string, parts: Map<string, Part>): Part | null {
  if (name === '') return null;
  const cached = parts.get(name);
  if (cached !== undefined) return cached;
  const [code = '', dong = null] = name.split(' ');
  const part = { code, dong };
  parts.set(name, part);
  return part;
}

function addEdge(edgesByBand: readonly number[][], edge: number, lats: readonly number[]): void {
  const [one, other] = [bandOf(lats[edge]!), bandOf(lats[edge + 1]!)];
  for (let band = Math.min(one, other); band <= Math.max(one, other); band++)
    edgesByBand[band]?.push(edge);
}

function bandOf(lat: number): number {
  return Math.floor((lat - box.south) / bandDegrees);
}
