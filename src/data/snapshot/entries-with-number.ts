import { numberTag, type CatalogEntry } from '../catalog.ts';
import { listTagged } from '../search/listing.ts';
import type { OpenedPart } from './opened.ts';

/** Catalog entries with a number of the portal. */
export function entriesWithNumber(
  { index, records }: OpenedPart,
  portalId: string,
): CatalogEntry[] {
  const { documents } = listTagged(index, [numberTag(portalId)], 0, entriesPerNumberMax);
  // The records of a catalog are its entries.
  return documents.map((row) => JSON.parse(records.record(row).toString()) as CatalogEntry);
}

/** A number stands for one dataset a type, and there are four types. */
const entriesPerNumberMax = 4;
