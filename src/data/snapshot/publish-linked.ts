import { runInTurns } from '../../kernel/run-steps.ts';
import { matchingText } from '../korean/normalise.ts';
import { parseQuery } from '../korean/terms.ts';
import { searchIndexes } from '../search/search.ts';
import { addMissingFiles } from './add-missing-files.ts';
import type { SnapshotBuilder } from './builder.ts';
import { entriesWithNumber } from './entries-with-number.ts';
import type { OpenedSnapshot } from './opened.ts';
import { linkDemand } from './link-demand.ts';

/**
 * Adds the files that axes of earlier versions lack, links the demand to the axes and the catalog of a new snapshot and
 * publishes it. Returns the id.
 */
export async function publishLinked(builder: SnapshotBuilder, reason: string): Promise<string> {
  await addMissingFiles(builder);
  if (builder.hasDemand) await relinkDemand(builder);
  return builder.publish(reason);
}

async function relinkDemand(builder: SnapshotBuilder): Promise<void> {
  using preview = builder.preview();
  if (preview.demand === null) return;
  const linked = await linkDemand(preview.demand, preview.axes.values(), {
    countCatalog: (keyword) => countCatalog(preview, keyword),
    catalogKeywords: (code) => catalogKeywords(preview, code),
    axesWithName: (keyword) => axesWithName(preview, keyword),
  });
  builder.putDemand(linked);
}

function countCatalog({ catalog }: OpenedSnapshot, keyword: string): number {
  const { terms, text } = parseQuery(keyword);
  if (catalog === null || terms.length === 0) return 0;
  return searchIndexes([catalog.part], { terms, text }, { offset: 0, limit: 0 }).total;
}

function catalogKeywords({ axes, catalog }: OpenedSnapshot, code: string): string[] {
  const portalId = axes.get(code)?.axis.portalId ?? null;
  if (catalog === null || portalId === null) return [];
  return entriesWithNumber(catalog.part, portalId).flatMap(({ keywords }) => keywords);
}

async function axesWithName(opened: OpenedSnapshot, keyword: string): Promise<string[]> {
  const text = matchingText(keyword);
  if (text.length < nameLengthMin) return [];
  // The process that builds may serve, and a hundred thousand axes have hundreds of packs.
  return runInTurns(opened.axesWithName(text));
}

/** A single syllable is part of too many names to identify one. */
const nameLengthMin = 2;
