import { join } from 'node:path';
import { ByteSink } from '../byte-sink.ts';
import {
  catalogTexts,
  entryTags,
  newestFirst,
  type CatalogEntry,
  type CatalogSummary,
} from '../catalog.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import { writeJson } from './axis-writer.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { RecordsWriter } from './records.ts';

/**
 * Writes the folder of the catalog: entries newest first, so that the order of the file is the order of
 * an answer without a question.
 */
export function writeCatalog(
  folder: string,
  entries: readonly CatalogEntry[],
  summary: CatalogSummary,
): Readonly<Record<string, FileFacts>> {
  const sorted = entries.toSorted(newestFirst);
  using records = new RecordsWriter(folder);
  using sink = new ByteSink(join(folder, fileNames.search));
  const index = new SearchIndexBuilder(sink);
  for (const entry of sorted) {
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
