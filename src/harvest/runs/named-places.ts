import type { Field, Row } from '../../data/axis.ts';
import { regionRoles } from '../../data/regions/join.ts';
import { createRegionJoiner } from '../../data/regions/joiner.ts';
import type { RegionRoles } from '../../data/regions/place-of-record.ts';
import type { RecordsFile } from '../../data/snapshot/records.ts';
import type { NamedPlaces } from './gates.ts';

/**
 * Counts, over an even sample of up to `recordsMax` records, those whose coarsest region field has a known
 * value. Only that field is looked at: finer ones and positions hide that a name or a code has changed.
 * Null where no field has a region in words.
 */
export function namedPlaces(fields: readonly Field[], records: RecordsFile): NamedPlaces | null {
  const roles = coarsest(regionRoles(fields));
  if (roles === null) return null;
  const join = createRegionJoiner(roles);
  const step = Math.max(1, Math.ceil(records.count / recordsMax));
  let [looked, known] = [0, 0];
  for (let at = 0; at < records.count; at += step) {
    // Lines of a records file are rows.
    const row = JSON.parse(records.record(at).toString()) as Row;
    looked++;
    if (join(fields.map(({ name }) => row[name] ?? null)) !== null) known++;
  }
  return { records: looked, known };
}

const recordsMax = 2_000;

function coarsest(roles: RegionRoles): RegionRoles | null {
  const none = {
    sido: null,
    sigungu: null,
    dong: null,
    codes: [],
    addresses: [],
    lat: null,
    lon: null,
  };
  const { sido, sigungu, codes, addresses } = roles;
  if (sido !== null) return { ...none, sido };
  if (codes.length > 0) return { ...none, codes };
  if (sigungu !== null) return { ...none, sigungu };
  return addresses.length > 0 ? { ...none, addresses } : null;
}
