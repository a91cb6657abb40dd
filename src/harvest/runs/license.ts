import type { License } from '../../data/axis.ts';
import { numberTag, type CatalogEntry } from '../../data/catalog.ts';
import { listTagged } from '../../data/search/listing.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import type { AxisDefinition } from '../operations/definition.ts';

/** The license of an operation in the served catalog; null if it has none. */
export function licenseOfAxis(
  data: string,
  { type, portalId }: Pick<AxisDefinition, 'type' | 'portalId'>,
): License | null {
  const id = currentId(data);
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  if (opened.catalog === null) return null;
  const { index, records } = opened.catalog.part;
  const { documents } = listTagged(index, [numberTag(portalId)], 0, entriesPerNumberMax);
  // The records of a catalog are its entries.
  const entries = documents.map((at) => JSON.parse(records.record(at).toString()) as CatalogEntry);
  return entries.find((entry) => entry.type === type)?.license ?? null;
}

/** A number has at most one dataset of each of the four types. */
const entriesPerNumberMax = 4;
