/** A position in degrees of WGS84. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Great-circle distance in metres on a sphere with the Earth's mean radius (haversine). */
export function distanceBetween(a: Position, b: Position): number {
  const lat = Math.sin(((b.lat - a.lat) * radians) / 2);
  const lon = Math.sin(((b.lon - a.lon) * radians) / 2);
  const square = lat * lat + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * lon * lon;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Smallest box of degrees around all positions within a radius in metres, a little wider than needed. */
export function boxAround({ lat, lon }: Position, radius: number): Box {
  const latDegrees = (radius / earthRadius / radians) * margin;
  const cosine = Math.cos((Math.min(89, Math.abs(lat) + latDegrees) * Math.PI) / 180);
  const lonDegrees = latDegrees / cosine;
  return {
    minLat: lat - latDegrees,
    maxLat: lat + latDegrees,
    minLon: lon - lonDegrees,
    maxLon: lon + lonDegrees,
  };
}

/** Smallest box around several boxes. */
export function unitedBox(boxes: readonly Box[]): Box {
  return {
    minLon: Math.min(...boxes.map(({ minLon }) => minLon)),
    minLat: Math.min(...boxes.map(({ minLat }) => minLat)),
    maxLon: Math.max(...boxes.map(({ maxLon }) => maxLon)),
    maxLat: Math.max(...boxes.map(({ maxLat }) => maxLat)),
  };
}

export interface Box {
  readonly minLon: number;
  readonly minLat: number;
  readonly maxLon: number;
  readonly maxLat: number;
}

/** Mean radius R1 of the Earth in metres (IUGG). */
const earthRadius = 6_371_008.8;
const radians = Math.PI / 180;
/** Widens a box, so that rounding excludes no position within the radius. */
const margin = 1.001;
