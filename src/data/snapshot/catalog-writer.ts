import { join } from 'node:path';
import { ByteSink } from '../byte-sink.ts';
import { catalogTexts, entryTags, type CatalogEntry, type CatalogSummary } from '../catalog.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import { writeJson } from './json-file.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { RecordsWriter } from './records.ts';

/**
 * Writes the folder of the catalog. The entries must be in the order of `newestFirst`, because an answer without a query
 * lists them in the order of the file.
 */
export function writeCatalog(
  folder: string,
  entries: Iterable<CatalogEntry>,
  summary: CatalogSummary,
): Readonly<Record<string, FileFacts>> {
  using records = new RecordsWriter(folder);
  using sink = new ByteSink(join(folder, fileNames.search));
  const index = new SearchIndexBuilder(sink);
  for (const entry of entries) {
    records.add(JSON.stringify(entry));
    const [title, ...texts] = catalogTexts(entry);
    index.add(title!, texts, entryTags(entry));
  }
  index.finish();
  return {
    ...records.close(),
    [fileNames.search]: sink.close(),
    [fileNames.catalog]: writeJson(join(folder, fileNames.catalog), summary),
  };
}
