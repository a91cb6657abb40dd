import { matchingText } from '../korean/normalise.ts';
import { parseTerms } from '../korean/terms.ts';
import { hasName } from '../search/names.ts';
import { searchIndexes } from '../search/search.ts';
import type { SnapshotBuilder } from './builder.ts';
import { entriesNumbered } from './entries-numbered.ts';
import type { OpenedSnapshot } from './opened.ts';
import { linkDemand } from './link-demand.ts';

/** Publishes what was built, its demand linked anew to the axes and the catalog it now has. Returns the id. */
export async function publishLinked(builder: SnapshotBuilder, reason: string): Promise<string> {
  // Opening the whole is only for a ranking to be linked.
  if (builder.hasDemand) await linkDemandAgain(builder);
  return builder.publish(reason);
}

async function linkDemandAgain(builder: SnapshotBuilder): Promise<void> {
  using preview = builder.preview();
  if (preview.demand === null) return;
  const linked = await linkDemand(preview.demand, preview.axes.values(), {
    countCatalog: (keyword) => countCatalog(preview, keyword),
    catalogKeywords: (code) => catalogKeywords(preview, code),
    axesNaming: (keyword) => axesNaming(preview, keyword),
  });
  builder.putDemand(linked);
}

function countCatalog({ catalog }: OpenedSnapshot, keyword: string): number {
  const terms = parseTerms(keyword);
  if (catalog === null || terms.length === 0) return 0;
  const text = terms.map((term) => term.text).join(' ');
  return searchIndexes([catalog.part.index], { terms, text }, { offset: 0, limit: 0 }).total;
}

function catalogKeywords({ axes, catalog }: OpenedSnapshot, code: string): string[] {
  const portalId = axes.get(code)?.axis.portalId ?? null;
  if (catalog === null || portalId === null) return [];
  return entriesNumbered(catalog.part, portalId).flatMap(({ keywords }) => keywords);
}

function axesNaming(opened: OpenedSnapshot, keyword: string): string[] {
  const text = matchingText(keyword);
  if (text.length < nameLengthMin) return [];
  return [...opened.axes.keys()].filter((code) => hasName(opened.part(code).index, text));
}

/** A single syllable is part of too many names to identify one. */
const nameLengthMin = 2;
