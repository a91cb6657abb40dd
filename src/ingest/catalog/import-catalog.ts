import type { CatalogSummary } from '../../data/catalog.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import { putCatalog } from './put-catalog.ts';
import { readCatalog, type CatalogReport } from './read.ts';
import { catalogSummary } from './summary.ts';

/**
 * Imports a list file of the portal as the catalog, replaces the previous catalog and publishes it. Throws
 * `FileRefused` if the file is not a dataset list.
 */
export async function importCatalog(
  data: string,
  path: string,
  report: CatalogReport,
): Promise<{ snapshot: string; summary: CatalogSummary }> {
  using builder = new SnapshotBuilder(data);
  const summary = await putCatalog(builder, async (entries) => {
    await readCatalog(path, entries, report);
    const counts = entries.counts();
    if (counts.total === 0)
      throw new Error(
        `${path} lists no dataset; the previous catalog is still served. Check that it is 목록개방현황.`,
      );
    return { ...catalogSummary(counts, path), origin: 'file' };
  });
  const snapshot = await publishLinked(builder, `Loaded a catalog of ${summary.total} datasets.`);
  return { snapshot, summary };
}
