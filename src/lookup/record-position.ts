import type { Field, Row } from '../data/axis.ts';
import type { Position } from '../data/columns/distance.ts';
import { readDegrees } from '../data/values/degrees.ts';

/** Position of a record by its fields; null if it has none or it cannot be read. */
export function recordPosition(fields: readonly Field[], row: Row): Position | null {
  const lat = coordinateOf(fields, row, 'lat', 90);
  const lon = coordinateOf(fields, row, 'lon', 180);
  return lat === null || lon === null ? null : { lat, lon };
}

function coordinateOf(
  fields: readonly Field[],
  row: Row,
  role: 'lat' | 'lon',
  bound: number,
): number | null {
  const name = fields.find((field) => field.role === role)?.name;
  const value = name === undefined ? null : (row[name] ?? null);
  if (value === null || value === '' || typeof value === 'boolean') return null;
  const number = typeof value === 'number' ? value : (readDegrees(value) ?? Number(value));
  return Number.isFinite(number) && Math.abs(number) <= bound ? number : null;
}
