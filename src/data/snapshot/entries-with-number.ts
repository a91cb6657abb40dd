import { numberTag, type CatalogEntry } from '../catalog.ts';
import { listTagged } from '../search/listing.ts';
import type { OpenedPart } from './opened-part.ts';

/** Reads the catalog entries with a portal number. */
export function entriesWithNumber(
  { index, records }: OpenedPart,
  portalId: string,
): CatalogEntry[] {
  const { documents } = listTagged(index, [numberTag(portalId)], 0, entriesPerNumberMax);
  // The records of a catalog are its entries.
  return documents.map((row) => JSON.parse(records.record(row).toString()) as CatalogEntry);
}

/** Datasets of different types may share a number, and there are four types. */
const entriesPerNumberMax = 4;
