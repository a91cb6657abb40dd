import type { Origin } from '../../data/axis.ts';
import type { CatalogSummary } from '../../data/catalog.ts';
import { putCatalog } from '../../ingest/catalog/put-catalog.ts';
import { openJobs } from '../runs/job-store.ts';
import { Runs } from '../runs/runs.ts';
import { collectSources, type Publication } from '../runs/session.ts';
import {
  catalogCode,
  catalogParts,
  type CatalogPartName,
  type CollectCatalogOptions,
  type CollectedCatalog,
} from './collected.ts';
import { composeCatalog, type PartEntries } from './compose.ts';
import { CatalogSources } from './sources.ts';
import { storedCatalog, type StoredCatalog } from './stored-catalog.ts';

/**
 * Collects the portal's catalog and publishes all of it at once. Each part is a source with its own runs: a failed part
 * keeps its previous entries, and the others are published.
 */
export async function collectCatalog(
  data: string,
  options: CollectCatalogOptions,
): Promise<CollectedCatalog> {
  const { parts = catalogParts, reparse } = options;
  const origin = reparse === true ? originOfRuns(data, parts, options.origin) : options.origin;
  const served = storedCatalog(data);
  using sources = new CatalogSources(options, served, ofOrigin(served, origin));
  const publication = new CatalogPublication(data, origin);
  const chosen = catalogParts.filter((part) => parts.includes(part));
  const report = await collectSources(
    data,
    chosen.map((part) => sources.sourceOf(part)),
    publication,
    { ...options, origin },
  );
  const { snapshot, elapsedMs } = report;
  const collected = report.sources.map((source, at) => ({ part: chosen[at]!, ...source }));
  return { snapshot, summary: publication.summary, parts: collected, elapsedMs };
}

/** The catalog, or null if its origin is another one: sample data and real data are never mixed. */
function ofOrigin(catalog: StoredCatalog | null, origin: Origin): StoredCatalog | null {
  const hasSameOrigin = (catalog?.summary.origin === 'sample') === (origin === 'sample');
  return hasSameOrigin ? catalog : null;
}

/** Origin of the latest runs. Throws if they have different origins: sample data and real data are never mixed. */
function originOfRuns(data: string, parts: readonly CatalogPartName[], fallback: Origin): Origin {
  const codes = parts.map(catalogCode);
  using database = openJobs(data);
  const latest = new Runs(database, () => Date.now())
    .latest()
    .filter(({ axis }) => codes.includes(axis));
  const [origin = fallback, ...others] = new Set(latest.map((run) => run.origin));
  if (others.length === 0) return origin;
  throw new Error(
    'The latest runs collected from the portal and from the sample portal: name the parts to read.',
  );
}

class CatalogPublication implements Publication<PartEntries> {
  /** The parts make one catalog: a stopped session publishes none. */
  readonly isAtomic = true;
  readonly #data: string;
  readonly #origin: Origin;
  /** Null until a catalog was published. */
  summary: CatalogSummary | null = null;

  constructor(data: string, origin: Origin) {
    this.#data = data;
    this.#origin = origin;
  }

  isNeeded: Publication<PartEntries>['isNeeded'] = (results) =>
    results.some(({ data }) => data !== null);

  put: Publication<PartEntries>['put'] = async (builder, results) => {
    const collected = results.flatMap(({ data }) => data ?? []);
    const failed = results.flatMap(({ source, data, collected: { outcome } }) =>
      data === null && outcome !== 'skipped' ? source.code : [],
    );
    const parts = new Map(collected.map((entries) => [entries.part, entries] as const));
    const failedParts = catalogParts.filter((part) => failed.includes(catalogCode(part)));
    // Not the catalog at the start of the session: others may have published since then.
    const previous = ofOrigin(storedCatalog(this.#data, builder.previousId), this.#origin);
    this.summary = await putCatalog(builder, (table) =>
      composeCatalog(table, parts, previous, new Set(failedParts), this.#origin),
    );
    return `Collected a catalog of ${this.summary.total} datasets.`;
  };
}
