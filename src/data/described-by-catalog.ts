import type { StoredAxis } from './axis.ts';
import { isDataOf, type CatalogEntry } from './catalog.ts';

/**
 * An axis with the provider, licence, cycle and address that its source did not give and its entry in the catalog does.
 * Unchanged for sample data, and for data of another provider than the entry's. The entry's date stays apart, because
 * the stored file may be older or newer than it.
 */
export function describedByCatalog(
  stored: StoredAxis,
  entries: readonly CatalogEntry[],
  date: string | null,
): StoredAxis {
  const { axis } = stored;
  const { portalId, provider, license, updateCycle, sourceUrl } = axis;
  if (portalId === null || axis.origin === 'sample') return stored;
  const entry =
    entries.find(({ type }) => type === axis.type) ??
    entries.find(({ type }) => isDataOf(stored, portalId, type));
  if (entry === undefined) return stored;
  if (provider !== null && provider.name !== entry.provider) return stored;
  const hasProvider = provider === null && entry.provider !== null;
  const hasLicense = license === null && entry.license !== null;
  return {
    ...stored,
    axis: {
      ...axis,
      provider: hasProvider ? { name: entry.provider, code: null } : provider,
      license: license ?? entry.license,
      updateCycle: updateCycle ?? entry.updateCycle,
      sourceUrl: sourceUrl ?? entry.url,
    },
    listed: {
      date,
      modified: entry.modified,
      hasProvider,
      hasLicense,
      description: entry.description,
    },
  };
}
