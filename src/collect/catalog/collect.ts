import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry, CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import { writeCatalog } from '../../data/snapshot/catalog-writer.ts';
import type { Door } from '../doors/ask.ts';
import {
  attemptDoor,
  noDoorOutcome,
  originOfRuns,
  settleRun,
  type DoorSession,
  type OpenRun,
} from '../doors/door-run.ts';
import { systemClock } from '../portal/clock.ts';
import { dayMs } from '../portal/korean-time.ts';
import { portalLimits } from '../portal/limits.ts';
import { createPace } from '../portal/pace.ts';
import { publishLinked } from '../publish.ts';
import { collectorsOf, lostBefore } from '../run/earlier-runs.ts';
import { blocking, type Finding } from '../run/gates.ts';
import { openJobs } from '../run/job-store.ts';
import { openBuilder } from '../run/publish-built.ts';
import { Runs, type Run } from '../run/runs.ts';
import {
  catalogParts,
  type CatalogPartName,
  type CollectCatalogOptions,
  type CollectedCatalog,
  type CollectedPart,
} from './collected.ts';
import { heldCatalog, type HeldCatalog } from './held.ts';
import { catalogLimits } from './limits.ts';
import { collectList } from './list-file.ts';
import { listedTypes, lossFindings, mergeEntries } from './merge.ts';
import { collectMeta } from './meta-api.ts';
import type { CatalogFinding } from './read.ts';
import { PartFindings } from './part-findings.ts';
import { tallied } from './tally.ts';
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
  const collection = new CatalogCollection(data, options);
  using _database = collection;
  return await collection.collect(options.parts ?? catalogParts);
}

/** A part that was read and passed its checks, and waits for the publication. */
interface PartRead {
  readonly part: CatalogPartName;
  readonly run: Run;
  readonly entries: readonly CatalogEntry[];
  readonly deleted: ReadonlySet<string>;
  readonly name: string;
  readonly outcome: CollectedPart;
}

class CatalogCollection implements Disposable {
  readonly #data: string;
  readonly #options: CollectCatalogOptions;
  readonly #session: DoorSession;
  readonly #door: Door | null;
  readonly #held: HeldCatalog | null;
  /** What is held, where it is of the same origin: sample and real are never mixed. */
  readonly #before: HeldCatalog | null;
  readonly #started = performance.now();
  readonly #read = new Map<CatalogPartName, PartRead>();
  readonly #outcomes: CollectedPart[] = [];

  constructor(data: string, options: CollectCatalogOptions) {
    const { clock = systemClock, random = Math.random, gateway, reparse = false } = options;
    this.#data = data;
    this.#options = options;
    const database = openJobs(data);
    const runs = new Runs(database, () => clock.now());
    const codes = (options.parts ?? catalogParts).map(codeOf);
    const origin = originOfRuns(runs, codes, reparse ? null : options.origin);
    this.#session = { data, database, runs, clock, origin, signal: options.signal, reparse };
    const limits = { ...portalLimits, ...options.limits };
    const perSecond = options.limits?.callsPerSecond ?? catalogLimits.webPagesPerSecond;
    this.#door = reparse
      ? null
      : { gateway, clock, random, limits, pace: createPace(perSecond, clock) };
    this.#held = heldCatalog(data);
    const isSame = (this.#held?.summary.origin === 'sample') === (origin === 'sample');
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
    this.#session.database.close();
  }

  async #collectPart(part: CatalogPartName): Promise<CollectedPart> {
    const reason = this.#reasonToSkip(part);
    if (reason !== null) return { part, ...noDoorOutcome, outcome: 'skipped', message: reason };
    const began = performance.now();
    const findings = new PartFindings();
    const attempted = await attemptDoor(
      this.#session,
      codeOf(part),
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
  ): Promise<Omit<PartRead, 'part' | 'run' | 'outcome'>> {
    const { signal, clock } = this.#session;
    const report = (finding: CatalogFinding): void => findings.add(finding);
    const none = { deleted: new Set<string>(), name: '' };
    if (part === 'list') {
      const isOdd = (came: readonly CatalogEntry[]): boolean =>
        came.length === 0 || lossFindings(came, this.#counts(), listedTypes, false).length > 0;
      const { entries, name } = await collectList(open, this.#door, report, isOdd, signal);
      onPage(1, 1, entries.length);
      return { ...none, entries, name };
    }
    if (part === 'api') {
      const client = this.#session.reparse ? null : this.#options.client;
      const now = (): number => clock.now();
      const meta = await collectMeta(open, client, now, report, onPage, signal);
      findings.mismatch(meta.mismatch);
      return { ...none, entries: meta.entries, deleted: meta.deleted };
    }
    const linked = await collectLinked(open, this.#door, report, onPage, signal);
    findings.mismatch(linked.mismatch);
    return { ...none, entries: linked.entries };
  }

  #judge(
    part: CatalogPartName,
    run: Run,
    requests: number,
    read: Omit<PartRead, 'part' | 'run' | 'outcome'>,
    found: PartFindings,
  ): CollectedPart {
    const types = part === 'linked' ? (['LINKED'] as const) : listedTypes;
    const wasLost = lostBefore(this.#session.database, codeOf(part));
    const before = this.#counts();
    const losses = lossFindings(read.entries, before, types, wasLost);
    const nothing: Finding[] =
      read.entries.length === 0 && types.every((type) => before[type] === 0)
        ? [{ kind: 'no_records', count: 0, detail: 'No dataset came.' }]
        : [];
    const findings = [...nothing, ...losses, ...found.all()];
    const reasons = blocking(findings);
    const entries = read.entries.length;
    const outcome = { part, ...noDoorOutcome, entries, requests, findings };
    if (reasons.length > 0 && this.#options.accept !== true) {
      const message =
        `${reasons.map(({ detail }) => detail).join(' ')} The last good entries stay; ` +
        `\`./maru catalog collect ${part} --reparse --accept\` publishes what came.`;
      settleRun(this.#session, run, entries, findings, message);
      return { ...outcome, outcome: 'kept', message };
    }
    const published: CollectedPart = { ...outcome, outcome: 'published' };
    this.#read.set(part, { part, run, ...read, outcome: published });
    return published;
  }

  #counts(): Readonly<Record<CatalogType, number>> {
    return this.#before?.summary.byType ?? { API: 0, FILE: 0, LINKED: 0, STD: 0 };
  }

  /** The held entries that a part answers for. */
  #heldOf(part: CatalogPartName): readonly CatalogEntry[] {
    const isOfPart = ({ type }: CatalogEntry): boolean =>
      (type === 'LINKED') === (part === 'linked');
    return this.#before?.entries(isOfPart) ?? [];
  }

  async #publish(): Promise<Pick<CollectedCatalog, 'snapshot' | 'summary' | 'entries'>> {
    if (this.#read.size === 0) return { snapshot: null, summary: null, entries: [] };
    const entries = this.#entries();
    const summary = this.#summary(entries);
    const { builder, signal } = this.#options;
    let snapshot: string | null = null;
    if (builder === undefined) {
      using own = await openBuilder(this.#data, this.#session.clock, signal);
      own.putCatalog(writeCatalog(own.stageCatalog(), entries, summary));
      const { runs, clock } = this.#session;
      const done = Array.from(this.#read.keys(), codeOf);
      own.putCollectors(collectorsOf(runs, done, clock.now()));
      snapshot = await publishLinked(own, `Collected a catalog of ${entries.length} datasets.`);
    } else {
      builder.putCatalog(writeCatalog(builder.stageCatalog(), entries, summary));
    }
    for (const { run, outcome } of this.#read.values()) {
      settleRun(this.#session, run, outcome.entries, outcome.findings, null);
    }
    return { snapshot, summary, entries };
  }

  /** The list, what the API has that is newer, and LINKED; in the place of each the last good entries. */
  #entries(): CatalogEntry[] {
    const list = this.#read.get('list');
    const api = this.#read.get('api');
    const listed = list?.entries.filter(({ type }) => type !== 'LINKED') ?? this.#heldOf('list');
    const newer = api?.entries ?? this.#heldNewer(list);
    const linked = this.#read.get('linked')?.entries ?? this.#heldOf('linked');
    const merged = mergeEntries(listed, newer);
    return [...merged.filter(({ id }) => api?.deleted.has(id) !== true), ...linked];
  }

  /** What the API told of the time after the list stays until the API answers again. */
  #heldNewer(list: PartRead | undefined): readonly CatalogEntry[] {
    const hadApi = this.#before?.summary.parts?.some(({ part }) => part === 'api') ?? false;
    if (list === undefined || !hadApi) return [];
    const { date } = tallied(list.entries, list.name);
    const isNewer = ({ type, modified }: CatalogEntry): boolean =>
      type !== 'LINKED' && (modified ?? '') > (date ?? '');
    return this.#before?.entries(isNewer) ?? [];
  }

  #summary(entries: readonly CatalogEntry[]): CatalogSummary {
    const list = this.#read.get('list');
    const counted = tallied(entries, list?.name ?? '');
    const kept = list === undefined ? this.#before?.summary.date : undefined;
    const date = kept ?? counted.date;
    const parts = catalogParts.flatMap((part): CatalogPart[] => {
      const read = this.#read.get(part);
      if (read !== undefined) {
        const collectedAt = new Date(read.run.asked).toISOString();
        return [{ part, entries: read.entries.length, collectedAt, kept: false }];
      }
      const before = this.#before?.summary.parts?.find((each) => each.part === part);
      const failed = this.#outcomes.some(
        (each) => each.part === part && each.outcome !== 'skipped',
      );
      return before === undefined ? [] : [{ ...before, kept: before.kept || failed }];
    });
    return { ...counted, date, origin: this.#session.origin, parts };
  }
}

/** The run of a part in the job store. */
function codeOf(part: CatalogPartName): string {
  return `catalog_${part}`;
}
