import type { CatalogSummary } from '../../data/catalog.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { writeCatalog } from '../../data/snapshot/catalog-writer.ts';
import { publishLinked } from '../publish.ts';
import { readCatalog, type CatalogReport } from './read.ts';
import { tallied } from './tally.ts';

/**
 * Holds a list file of the portal as the catalog, in place of the one before, and publishes. All entries
 * are in memory while they are sorted: about 1 KB each. Throws `FileRefused` for what is no list.
 */
export async function holdCatalog(
  data: string,
  path: string,
  report: CatalogReport,
): Promise<{ snapshot: string; summary: CatalogSummary }> {
  using builder = new SnapshotBuilder(data);
  const entries = await readCatalog(path, report);
  if (entries.length === 0) throw new Error(`${path} lists no dataset.`);
  const summary: CatalogSummary = { ...tallied(entries, path), origin: 'file' };
  builder.putCatalog(writeCatalog(builder.stageCatalog(), entries, summary));
  const snapshot = await publishLinked(builder, `Loaded a catalog of ${entries.length} datasets.`);
  return { snapshot, summary };
}
