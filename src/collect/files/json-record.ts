import { mendJson } from './json-mend.ts';
import type { Cell } from './table.ts';

/** A record of a JSON text with its members as they are, and whether its text had to be mended. */
export interface JsonRecord {
  readonly members: Readonly<Record<string, unknown>>;
  readonly mended: boolean;
}

/** Parses the text of one object; null where even mending does not make it JSON. */
export function parseRecord(text: string): JsonRecord | null {
  const members = parseObject(text);
  if (members !== null) return { members, mended: false };
  const mended = parseObject(mendJson(text));
  return mended === null ? null : { members: mended, mended: true };
}

/** A member as a cell: text without the white space around it, numbers as they are, the rest as JSON text. */
export function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'string': {
      const text = value.trim();
      return text === '' ? null : text;
    }
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : JSON.stringify(value);
    default:
      return null;
  }
}

/** A GeoJSON feature as a record: its properties, with `lon` and `lat` for a point. */
export function featureMembers(
  feature: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = isObject(feature['properties']) ? feature['properties'] : {};
  const geometry = feature['geometry'];
  if (!isObject(geometry) || geometry['type'] !== 'Point') return properties;
  const { coordinates } = geometry;
  if (!Array.isArray(coordinates)) return properties;
  const [lon, lat]: unknown[] = coordinates;
  return { lon, lat, ...properties };
}

/** Whether a value is an object with members, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = /\d{16}/u.test(text) ? parseExactly(text) : JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whole numbers past 2^53 are codes; they come as the text they are written in. */
function parseExactly(text: string): unknown {
  // The third argument of a reviver is newer than the type of JSON.parse.
  return JSON.parse(text, keepLongNumbers as (key: string, value: unknown) => unknown);
}

function keepLongNumbers(
  _: string,
  value: unknown,
  context: { readonly source?: string },
): unknown {
  const long = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return long ? (context.source ?? value) : value;
}
