import type { Field, Row } from '../../data/axis.ts';
import { regionRoles } from '../../data/regions/axis-joiner.ts';
import { createRegionJoiner } from '../../data/regions/joiner.ts';
import type { RegionRoles } from '../../data/regions/region-evidence.ts';
import type { RecordsFile } from '../../data/snapshot/records.ts';
import type { NamedPlaces } from './gates.ts';

/**
 * Counts the records whose coarsest region field has a known value, in an even sample of up to `recordsMax`.
 * Finer fields and positions are ignored, since they would hide a changed name or code. Null if no field names a
 * region.
 */
export function countNamedPlaces(
  fields: readonly Field[],
  records: RecordsFile,
): NamedPlaces | null {
  const roles = coarsest(regionRoles(fields));
  if (roles === null) return null;
  const join = createRegionJoiner(roles);
  const step = Math.max(1, Math.ceil(records.count / recordsMax));
  let [sampled, withRegion] = [0, 0];
  for (let at = 0; at < records.count; at += step) {
    // Every line of a records file is a row.
    const row = JSON.parse(records.record(at).toString()) as Row;
    sampled++;
    if (join(fields.map(({ name }) => row[name] ?? null)) !== null) withRegion++;
  }
  return { records: sampled, withRegion };
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
