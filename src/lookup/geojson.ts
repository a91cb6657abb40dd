import type { Field, Row } from '../data/axis.ts';
import { recordPosition } from './record-position.ts';

/**
 * JSON of a record as a feature (RFC 7946), without geometry if its coordinates cannot be read. `row` has all fields,
 * `properties` is the JSON of those that are shown.
 */
export function featureJson(fields: readonly Field[], row: Row, properties: string): string {
  const position = recordPosition(fields, row);
  const geometry =
    position === null ? null : { type: 'Point', coordinates: [position.lon, position.lat] };
  return `{"type":"Feature","geometry":${JSON.stringify(geometry)},"properties":${properties}}`;
}
