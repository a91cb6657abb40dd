import { degreesOf } from '../../data/projection.ts';

/** A position. `readPoint` takes the first number as `lon`, although some sources write the latitude first. */
export interface Point {
  readonly lon: number;
  readonly lat: number;
}

export function isInKorea({ lon, lat }: Point): boolean {
  return lat >= 33 && lat <= 38.7 && lon >= 124 && lon <= 132;
}

/** Degrees of plane coordinates; null if the system is not known, or the point is outside Korea. */
export function degreesIn(system: number, x: number, y: number): Point | null {
  const point = degreesOf(system, x, y);
  if (point === null || !isInKorea(point)) return null;
  return { lon: rounded(point.lon), lat: rounded(point.lat) };
}

/** Rounds degrees to a decimetre. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** UTM-K, a plane of the whole country. Its coordinates are in ranges that no other system has. */
export const utmK = 5179;

/**
 * Reads a point of GML (`<gml:pos>37.5 127.1</gml:pos>`), of GeoJSON, or a pair of numbers (`37.5, 127.1`). Null for any
 * other text.
 */
export function readPoint(text: string): Point | null {
  if (text.length > lengthMax) return null;
  const match = forms.reduce<RegExpExecArray | null>(
    (found, form) => found ?? form.exec(text),
    null,
  );
  if (match === null) return null;
  const [lon, lat] = [Number(match[1]), Number(match[2])];
  return Number.isFinite(lon) && Number.isFinite(lat) ? { lon, lat } : null;
}

const lengthMax = 500;
const number = String.raw`([-+]?\d{1,7}(?:\.\d{1,20})?)`;
const forms: readonly RegExp[] = [
  new RegExp(
    `<(?:gml:)?(?:pos|coordinates)[^<>]{0,200}>\\s*${number}[\\s,]+${number}(?:[\\s,]+[-.\\d]+)?\\s*</`,
  ),
  new RegExp(
    `^\\{ ?"type" ?: ?"Point" ?, ?"coordinates" ?: ?\\[ ?${number} ?, ?${number}(?: ?, ?[-.\\d]+)? ?\\] ?\\}$`,
  ),
  new RegExp(`^[([]? ?${number} ?[,/; ] ?${number} ?[)\\]]?$`),
];
