import type { StoredAxis } from './axis.ts';
import { PackedDescription } from './snapshot/packed-description.ts';
import { servesDataset, type CatalogEntry } from './catalog.ts';

/**
 * Fills in the provider, licence, cycle and address of an axis from its catalog entry, where its source gave none.
 * `entries` are those with the portal number of the axis. Sample data, and data of another provider than the entry's, is
 * unchanged. The entry's modification date goes to `listed`, because the stored file may be older or newer.
 */
export function fillFromCatalog(
  stored: StoredAxis,
  entries: readonly CatalogEntry[],
  catalogDate: string | null,
): StoredAxis {
  const facts = factsFromCatalog(stored, entries, catalogDate);
  if (facts === null) return stored;
  return stored instanceof PackedDescription ? stored.with(facts) : { ...stored, ...facts };
}

function factsFromCatalog(
  stored: StoredAxis,
  entries: readonly CatalogEntry[],
  catalogDate: string | null,
): Pick<StoredAxis, 'axis' | 'listed'> | null {
  const { axis } = stored;
  const { portalId, provider, license, updateCycle, sourceUrl } = axis;
  if (portalId === null || axis.origin === 'sample') return null;
  const entry =
    entries.find(({ type }) => type === axis.type) ??
    entries.find(({ type }) => servesDataset(stored, portalId, type));
  if (entry === undefined) return null;
  if (provider !== null && provider.name !== entry.provider) return null;
  const isProviderFilledIn = provider === null && entry.provider !== null;
  const isLicenseFilledIn = license === null && entry.license !== null;
  return {
    axis: {
      ...axis,
      provider: isProviderFilledIn ? { name: entry.provider, code: null } : provider,
      license: license ?? entry.license,
      updateCycle: updateCycle ?? entry.updateCycle,
      sourceUrl: sourceUrl ?? entry.url,
    },
    listed: {
      date: catalogDate,
      modified: entry.modified,
      hasProvider: isProviderFilledIn,
      hasLicense: isLicenseFilledIn,
      description: entry.description,
    },
  };
}
