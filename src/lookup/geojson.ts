import type { Field, Row } from '../data/axis.ts';
import { recordPosition } from './record-position.ts';

/** A record as a feature (RFC 7946), without geometry if its coordinates cannot be read. */
export function featureOf(fields: readonly Field[], row: Row): object {
  const position = recordPosition(fields, row);
  const geometry =
    position === null ? null : { type: 'Point', coordinates: [position.lon, position.lat] };
  return { type: 'Feature', geometry, properties: row };
}
