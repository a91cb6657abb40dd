import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { writeCatalog } from '../../data/snapshot/catalog-writer.ts';
import { publishLinked } from '../publish.ts';
import { readCatalog, type CatalogReport } from './read.ts';
import { CatalogTally } from './tally.ts';

export interface HeldCatalog {
  readonly snapshot: string;
  readonly summary: CatalogSummary;
}

/**
 * Holds a list file of the portal as the catalog, in place of the one before, and publishes. All entries
 * are in memory while they are sorted: about 1 KB each. Throws `FileRefused` for what is no list.
 */
export async function holdCatalog(
  data: string,
  path: string,
  report: CatalogReport,
): Promise<HeldCatalog> {
  using builder = new SnapshotBuilder(data);
  const entries: CatalogEntry[] = [];
  const tally = new CatalogTally();
  for await (const entry of readCatalog(path, report)) {
    entries.push(entry);
    tally.add(entry);
  }
  if (entries.length === 0) throw new Error(`${path} lists no dataset.`);
  const summary = tally.summary(path);
  builder.putCatalog(writeCatalog(builder.stageCatalog(), entries, summary));
  const snapshot = await publishLinked(builder, `Loaded a catalog of ${entries.length} datasets.`);
  return { snapshot, summary };
}
