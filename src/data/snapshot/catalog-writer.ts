import { join } from 'node:path';
import { catalogTypes } from '../axis.ts';
import { ByteSink } from '../byte-sink.ts';
import { entryTags, type CatalogEntry, type CatalogSummary } from '../catalog.ts';
import { matchingText } from '../korean/normalise.ts';
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
    index.add(matchingText(entry.title), catalogTexts(entry), entryTags(entry));
  }
  index.finish();
  return {
    ...records.close(),
    [fileNames.search]: sink.close(),
    [fileNames.catalog]: writeJson(join(folder, fileNames.catalog), summary),
  };
}

/** What catalog search reads beside the title, in order. */
export function catalogTexts(entry: CatalogEntry): string[] {
  const { provider, category, keywords, description, portalId } = entry;
  return [provider, category, ...keywords, description, portalId].map((text) =>
    text === null ? '' : matchingText(text),
  );
}

/** By the day of change, then of creation; entries of one day by type and number, so that the order is one. */
function newestFirst(a: CatalogEntry, b: CatalogEntry): number {
  return (
    descending(a.modified ?? a.created ?? '', b.modified ?? b.created ?? '') ||
    descending(a.created ?? '', b.created ?? '') ||
    catalogTypes.indexOf(a.type) - catalogTypes.indexOf(b.type) ||
    Number(b.portalId) - Number(a.portalId)
  );
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
