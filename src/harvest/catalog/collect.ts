import { join } from 'node:path';
import type { CatalogType } from '../../data/axis.ts';
import type { CatalogSummary } from '../../data/catalog.ts';
import {
  attemptDoor,
  noDoorOutcome,
  originOfRuns,
  settleRun,
  type DoorSession,
  type OpenRun,
} from '../runs/door-run.ts';
import { systemClock } from '../client/clock.ts';
import { dayMs } from '../../data/korean-time.ts';
import { createPortalSite, type PortalSite } from '../datasets/portal-site.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import { collectorsOf, lostBefore } from '../runs/earlier-runs.ts';
import { blocking, type Finding } from '../runs/gates.ts';
import { openJobs } from '../runs/job-store.ts';
import { openBuilder } from '../runs/publish-built.ts';
import { Runs, type Run } from '../runs/runs.ts';
import {
  catalogCode,
  catalogParts,
  type CatalogPartName,
  type CollectCatalogOptions,
  type CollectedCatalog,
  type CollectedPart,
} from './collected.ts';
import { composeCatalog, type PartRead } from './compose.ts';
import { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { heldCatalog, type HeldCatalog } from './held.ts';
import { catalogLimits } from './limits.ts';
import { collectList } from './list-file.ts';
import { listedTypes, lossFindings } from './merge.ts';
import { collectMeta } from './meta-api.ts';
import type { CatalogFinding } from '../../ingest/catalog/read.ts';
import { PartFindings } from './part-findings.ts';
import { putCatalog } from '../../ingest/catalog/put.ts';
import { collectLinked } from './web-list.ts';

/**
 * Collects the portal's catalog and publishes it as one. Each part is a run of its own: one that fails
 * keeps its last good entries and says so, the others are published. Throws only where the job store or the
 * snapshot cannot be written.
 */
export async function collectCatalog(
  data: string,
  options: CollectCatalogOptions,
): Promise<CollectedCatalog> {
  const { clock = systemClock, reparse = false, signal, parts = catalogParts } = options;
  using database = openJobs(data);
  const runs = new Runs(database, () => clock.now());
  const origin = originOfRuns(runs, parts.map(catalogCode), reparse ? null : options.origin);
  const session: DoorSession = { data, database, runs, clock, origin, signal, reparse };
  using collection = new CatalogCollection(session, options);
  return await collection.collect(parts);
}

/** A part that waits for the publication, and its run. */
interface Waiting {
  readonly run: Run;
  readonly read: PartRead;
  readonly outcome: CollectedPart;
}

class CatalogCollection implements Disposable {
  readonly #session: DoorSession;
  readonly #options: CollectCatalogOptions;
  readonly #site: PortalSite | null;
  readonly #held: HeldCatalog | null;
  /** What is held, where it is of the same origin: sample and real are never mixed. */
  readonly #before: HeldCatalog | null;
  readonly #started = performance.now();
  readonly #waiting = new Map<CatalogPartName, Waiting>();
  readonly #outcomes: CollectedPart[] = [];
  /** What the parts came to, until it is published. */
  readonly #tables = new DisposableStack();

  constructor(session: DoorSession, options: CollectCatalogOptions) {
    this.#session = session;
    this.#options = options;
    this.#site = session.reparse ? null : siteOf(options);
    this.#held = heldCatalog(session.data);
    const isSame = (this.#held?.summary.origin === 'sample') === (session.origin === 'sample');
    this.#before = isSame ? this.#held : null;
  }

  async collect(parts: readonly CatalogPartName[]): Promise<CollectedCatalog> {
    for (const part of catalogParts) {
      if (!parts.includes(part) || this.#options.signal?.aborted === true) continue;
      const outcome = await this.#collectPart(part);
      this.#outcomes.push(outcome);
      this.#options.onPart?.(outcome);
    }
    this.#options.signal?.throwIfAborted();
    const published = await this.#publish();
    const elapsedMs = performance.now() - this.#started;
    return { ...published, parts: this.#outcomes, elapsedMs };
  }

  [Symbol.dispose](): void {
    this.#tables.dispose();
  }

  async #collectPart(part: CatalogPartName): Promise<CollectedPart> {
    const reason = this.#reasonToSkip(part);
    if (reason !== null) return { part, ...noDoorOutcome, outcome: 'skipped', message: reason };
    const began = performance.now();
    const findings = new PartFindings();
    const attempted = await attemptDoor(
      this.#session,
      catalogCode(part),
      { resumableMs: dayMs, planned: 1 },
      (open) =>
        this.#ask(part, open, findings, (pages, planned, entries) =>
          this.#options.onProgress?.({
            part,
            pages,
            planned,
            entries,
            elapsedMs: performance.now() - began,
          }),
        ),
    );
    if (attempted.run === null) return { part, ...attempted.ended };
    const { run, requests, result } = attempted;
    return this.#judge(part, run, requests, result, findings);
  }

  #reasonToSkip(part: CatalogPartName): string | null {
    const { origin } = this.#session;
    const { client } = this.#options;
    const heldOrigin = this.#held?.summary.origin ?? origin;
    if (origin === 'sample' && heldOrigin !== 'sample') {
      return `Real data is held (${heldOrigin}); sample data never replaces it.`;
    }
    if (part === 'api' && client === null && !this.#session.reparse) {
      return 'Without MARU_SERVICE_KEY the catalog is as of the month of its list file.';
    }
    return null;
  }

  async #ask(
    part: CatalogPartName,
    open: OpenRun,
    findings: PartFindings,
    onPage: (pages: number, planned: number, entries: number) => void,
  ): Promise<Omit<PartRead, 'collectedAt'>> {
    const { signal } = this.#session;
    const report = (finding: CatalogFinding): void => findings.add(finding);
    const entries = this.#tables.use(new EntryTable(join(open.folder, 'entries.db')));
    const none = { entries, deleted: new Set<string>(), name: '' };
    if (part === 'list') {
      const isOdd = (): boolean => {
        const { total, byType } = entries.counts();
        return total === 0 || lossFindings(byType, this.#counts(), listedTypes, 0).length > 0;
      };
      const name = await collectList(open, this.#site, entries, report, isOdd, signal);
      onPage(1, 1, entries.counts().total);
      return { ...none, name };
    }
    if (part === 'api') {
      const client = this.#session.reparse ? null : this.#options.client;
      const meta = await collectMeta(open, client, entries, report, onPage, signal);
      findings.mismatch(meta.mismatch);
      return { ...none, deleted: meta.deleted };
    }
    const linked = await collectLinked(open, this.#site, entries, report, onPage, signal);
    findings.mismatch(linked.mismatch);
    return none;
  }

  #judge(
    part: CatalogPartName,
    run: Run,
    requests: number,
    read: Omit<PartRead, 'collectedAt'>,
    found: PartFindings,
  ): CollectedPart {
    const types = part === 'linked' ? (['LINKED'] as const) : listedTypes;
    const wasLost = lostBefore(this.#session.database, catalogCode(part));
    const before = this.#counts();
    const { total, byType } = read.entries.counts();
    const losses = lossFindings(byType, before, types, wasLost);
    const nothing: Finding[] =
      total === 0 && types.every((type) => before[type] === 0)
        ? [{ kind: 'no_records', count: 0, detail: 'No dataset came.' }]
        : [];
    const findings = [...nothing, ...losses, ...found.all()];
    const reasons = blocking(findings);
    const outcome = { part, ...noDoorOutcome, entries: total, requests, findings };
    if (reasons.length > 0 && this.#options.accept !== true) {
      const message =
        `${reasons.map(({ detail }) => detail).join(' ')} The last good entries stay; ` +
        `\`./maru catalog collect ${part} --reparse --accept\` publishes what came.`;
      settleRun(this.#session, run, total, findings, message);
      return { ...outcome, outcome: 'kept', message };
    }
    const published: CollectedPart = { ...outcome, outcome: 'published' };
    const collectedAt = new Date(run.asked).toISOString();
    this.#waiting.set(part, { run, read: { ...read, collectedAt }, outcome: published });
    return published;
  }

  #counts(): Readonly<Record<CatalogType, number>> {
    return this.#before?.summary.byType ?? { API: 0, FILE: 0, LINKED: 0, STD: 0 };
  }

  async #publish(): Promise<Pick<CollectedCatalog, 'snapshot' | 'summary'>> {
    const { data, runs, clock, signal, origin } = this.#session;
    const waiting = this.#waiting;
    if (waiting.size === 0) return { snapshot: null, summary: null };
    const read = new Map(Array.from(waiting, ([part, each]) => [part, each.read] as const));
    const failed = this.#outcomes.flatMap(({ part, outcome }) =>
      outcome === 'published' || outcome === 'skipped' ? [] : part,
    );
    const compose = (into: EntryTable): CatalogSummary =>
      composeCatalog(into, read, this.#before, new Set(failed), origin);
    const { builder } = this.#options;
    let snapshot: string | null = null;
    let summary: CatalogSummary;
    if (builder === undefined) {
      using own = await openBuilder(data, clock, signal);
      summary = await putCatalog(own, compose);
      own.putCollectors(collectorsOf(runs, Array.from(waiting.keys(), catalogCode), clock.now()));
      snapshot = await publishLinked(own, `Collected a catalog of ${summary.total} datasets.`);
    } else {
      summary = await putCatalog(builder, compose);
    }
    for (const { run, outcome } of waiting.values()) {
      settleRun(this.#session, run, outcome.entries, outcome.findings, null);
    }
    return { snapshot, summary };
  }
}

/** The web list is made for users: it is read at their pace. */
function siteOf(options: CollectCatalogOptions): PortalSite {
  const limits = { callsPerSecond: catalogLimits.webPagesPerSecond, ...options.limits };
  return createPortalSite({ ...options, limits });
}
