export type Position = readonly number[];
type Ring = readonly Position[];

/** A geometry of GeoJSON (RFC 7946). */
export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: Ring }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** Type of a record without a shape. */
export const nullType = 0;

/** True for points, also with heights (Z) or measures (M). */
export function isPointType(type: number): boolean {
  return type % 10 === 1 && type < 30;
}

/**
 * Reads the content of a record of a shapefile as GeoJSON, without heights and measures; null if it cannot be read.
 * Coordinates are rounded to multiples of 1 / `scale`.
 */
export function geometryOf(content: Buffer, scale: number): Geometry | null {
  const type = content.readInt32LE(0);
  if (isPointType(type)) {
    const [position] = positionsOf(content, 4, 1, scale) ?? [];
    return position === undefined ? null : { type: 'Point', coordinates: position };
  }
  if (content.length < boxEnd + 8 || type >= 30) return null;
  if (type % 10 === multiPoint) {
    const count = content.readInt32LE(boxEnd);
    const coordinates = positionsOf(content, boxEnd + 4, count, scale);
    return coordinates === null ? null : { type: 'MultiPoint', coordinates };
  }
  const parts = partsOf(content, scale);
  if (parts === null) return null;
  if (type % 10 === polygon) return polygonOf(parts);
  if (type % 10 !== polyline) return null;
  return parts.length === 1
    ? { type: 'LineString', coordinates: parts[0]! }
    : { type: 'MultiLineString', coordinates: parts };
}

const polyline = 3;
const polygon = 5;
const multiPoint = 8;
const boxEnd = 36;

/** The lines or rings of a shape; null if its numbers do not fit its bytes. */
function partsOf(content: Buffer, scale: number): Ring[] | null {
  const partCount = content.readInt32LE(boxEnd);
  const pointCount = content.readInt32LE(boxEnd + 4);
  const firstPoint = boxEnd + 8 + partCount * 4;
  if (partCount < 1 || pointCount < 1 || firstPoint + pointCount * 16 > content.length) return null;
  const positions = positionsOf(content, firstPoint, pointCount, scale);
  if (positions === null) return null;
  const starts = Array.from({ length: partCount }, (_, part) =>
    content.readInt32LE(boxEnd + 8 + part * 4),
  );
  const isOrdered = starts.every(
    (start, part) => start >= 0 && start < (starts[part + 1] ?? pointCount),
  );
  return isOrdered ? starts.map((start, part) => positions.slice(start, starts[part + 1])) : null;
}

/** Reads `count` positions from `start` on; null if there are fewer, or a coordinate is not a number. */
function positionsOf(content: Buffer, start: number, count: number, scale: number): Ring | null {
  if (count < 1 || start + count * 16 > content.length) return null;
  const positions: Position[] = [];
  for (let at = start; at < start + count * 16; at += 16) {
    const x = Math.round(content.readDoubleLE(at) * scale) / scale;
    const y = Math.round(content.readDoubleLE(at + 8) * scale) / scale;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    positions.push([x, y]);
  }
  return positions;
}

/**
 * Groups rings to polygons. In a shapefile outer rings run clockwise and holes counter-clockwise; GeoJSON wants the
 * opposite, so all are reversed. A hole belongs to the outer ring around it.
 */
function polygonOf(rings: readonly Ring[]): Geometry {
  const outers = rings.filter((ring) => areaOf(ring) < 0);
  // Some programs write all rings counter-clockwise.
  const polygons = (outers.length > 0 ? outers : rings).map((outer) => [outer]);
  const holes = outers.length > 0 ? rings.filter((ring) => !outers.includes(ring)) : [];
  for (const hole of holes) {
    const around = polygons.find(([outer]) => isInside(hole[0]!, outer!));
    (around ?? polygons[0]!).push(hole);
  }
  const coordinates = polygons.map((each) =>
    each.map((ring) => (outers.length > 0 ? ring.toReversed() : ring)),
  );
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0]! }
    : { type: 'MultiPolygon', coordinates };
}

/** Twice the area of a ring; negative if it runs clockwise. */
function areaOf(ring: Ring): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let area = 0;
  for (let index = 1; index < ring.length; index++) {
    const [ax = 0, ay = 0] = ring[index - 1]!;
    const [bx = 0, by = 0] = ring[index]!;
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return area;
}

/** True if a ray from the position crosses the ring an odd number of times. */
function isInside([x = 0, y = 0]: Position, ring: Ring): boolean {
  let inside = false;
  for (let index = 1; index < ring.length; index++) {
    const [ax = 0, ay = 0] = ring[index - 1]!;
    const [bx = 0, by = 0] = ring[index]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
