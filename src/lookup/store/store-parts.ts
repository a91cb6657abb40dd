import type { StoredAxis } from '../../data/axis.ts';
import { fillFromCatalog } from '../../data/fill-from-catalog.ts';
import type { SearchedChunk } from '../../data/search/part-order.ts';
import { entriesWithNumber } from '../../data/snapshot/entries-with-number.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { CatalogPart } from './catalog-part.ts';
import { Topics } from './topics.ts';

/** Opens what a store reads from, in steps of a few milliseconds. */
export function* openParts(data: string, id: string): Generator<void, StoreParts> {
  const opened = yield* OpenedSnapshot.opening(data, id);
  try {
    const axes = yield* describeAxes(opened);
    const chunks = yield* opened.searchedChunks();
    const topics = yield* Topics.of(axes.values());
    const catalog = opened.catalog && (yield* CatalogPart.of(opened.catalog.part, opened.axes));
    return { opened, axes, chunks, topics, catalog };
  } catch (error) {
    opened[Symbol.dispose]();
    throw error;
  }
}

/** The axes of a snapshot, with what its catalog alone knows of them. */
function* describeAxes({
  axes,
  catalog,
}: OpenedSnapshot): Generator<void, ReadonlyMap<string, StoredAxis>> {
  if (catalog === null) return axes;
  const { part, summary } = catalog;
  const described = new Map<string, StoredAxis>();
  for (const [code, stored] of axes) {
    const { portalId } = stored.axis;
    const entries = portalId === null ? [] : entriesWithNumber(part, portalId);
    described.set(code, fillFromCatalog(stored, entries, summary.date));
    if (described.size % axesPerStep === 0) yield;
  }
  return described;
}

const axesPerStep = 64;

interface StoreParts {
  readonly opened: OpenedSnapshot;
  readonly axes: ReadonlyMap<string, StoredAxis>;
  readonly chunks: readonly SearchedChunk[];
  readonly topics: Topics;
  readonly catalog: CatalogPart | null;
}
