import type { Field, Row } from '../data/axis.ts';
import { readDegrees } from '../data/values/degrees.ts';

/** A record as a feature (RFC 7946), without geometry if its coordinates cannot be read. */
export function featureOf(fields: readonly Field[], row: Row): object {
  const coordinates = [coordinateOf(fields, row, 'lon', 180), coordinateOf(fields, row, 'lat', 90)];
  const geometry = coordinates.includes(null) ? null : { type: 'Point', coordinates };
  return { type: 'Feature', geometry, properties: row };
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
