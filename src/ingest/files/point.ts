/** A position in the order of its text: the first number is `lon`. */
export interface Point {
  readonly lon: number;
  readonly lat: number;
}

/**
 * Reads a point of WKT (`POINT (127.1 37.5)`, also with `SRID=4326;`), of GML (`<gml:pos>37.5 127.1</gml:pos>`), of
 * GeoJSON, or a pair of numbers (`37.5, 127.1`). Null for any other text.
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
    `^(?:SRID=\\d+; ?)?POINT ?(?:Z|M|ZM)? ?\\( ?${number} +${number}(?: +[-.\\d]+)* ?\\)$`,
    'i',
  ),
  new RegExp(
    `<(?:gml:)?(?:pos|coordinates)[^<>]{0,200}>\\s*${number}[\\s,]+${number}(?:[\\s,]+[-.\\d]+)?\\s*</`,
  ),
  new RegExp(
    `^\\{ ?"type" ?: ?"Point" ?, ?"coordinates" ?: ?\\[ ?${number} ?, ?${number}(?: ?, ?[-.\\d]+)? ?\\] ?\\}$`,
  ),
  new RegExp(`^[([]? ?${number} ?[,/; ] ?${number} ?[)\\]]?$`),
];
