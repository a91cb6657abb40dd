import { join } from 'node:path';
import type { CatalogSummary } from '../../data/catalog.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { writeCatalog } from '../../data/snapshot/catalog-writer.ts';
import { EntryTable } from './entry-table.ts';

/** Replaces the catalog of a build; `fill` adds the entries and returns the summary. */
export async function putCatalog(
  builder: SnapshotBuilder,
  fill: (entries: EntryTable) => CatalogSummary | Promise<CatalogSummary>,
): Promise<CatalogSummary> {
  const folder = builder.stageCatalog();
  using entries = new EntryTable(join(folder, 'entries.db'));
  const summary = await fill(entries);
  builder.putCatalog(writeCatalog(folder, entries.newestFirst(), summary));
  return summary;
}
