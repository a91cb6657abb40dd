import { join } from 'node:path';
import type { CatalogType } from '../../data/axis.ts';
import { dayMs } from '../../data/korean-time.ts';
import { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { createPortalSite, type PortalSite } from '../datasets/portal-site.ts';
import { FindingCounts } from '../../data/finding.ts';
import { gateFindings, type GateFinding, type GateKind } from '../runs/gates.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection, Source } from '../runs/source.ts';
import { catalogCode, type CatalogPartName, type CollectCatalogOptions } from './collected.ts';
import type { PartEntries } from './compose.ts';
import { catalogLimits } from './limits.ts';
import { collectList } from './list-file.ts';
import { listedTypes, lossFindings } from './merge.ts';
import { collectMeta } from './meta-api.ts';
import type { StoredCatalog } from './stored-catalog.ts';
import { collectLinked } from './web-list.ts';
import type { CatalogFindingKind, CatalogReport } from '../../ingest/catalog/read.ts';

/** The parts of the catalog as sources, with the entries that they collect. */
export class CatalogSources implements Disposable {
  readonly #options: CollectCatalogOptions;
  readonly #served: StoredCatalog | null;
  readonly #previous: StoredCatalog | null;
  readonly #tables = new DisposableStack();

  /** `previous` is the served catalog if it has the same origin, else null. */
  constructor(
    options: CollectCatalogOptions,
    served: StoredCatalog | null,
    previous: StoredCatalog | null,
  ) {
    this.#options = options;
    this.#served = served;
    this.#previous = previous;
  }

  sourceOf(part: CatalogPartName): Source<PartEntries> {
    const { client, reparse } = this.#options;
    const isKeyMissing = part === 'api' && client === null && reparse !== true;
    return {
      code: catalogCode(part),
      title: titles[part],
      command: `catalog collect ${part}`,
      keeps: 'mirror',
      skipReason: isKeyMissing
        ? 'Set MARU_SERVICE_KEY to collect datasets that are newer than the monthly list file.'
        : null,
      plan: () => ({ requests: part === 'list' ? 3 : 1, resumableMs: dayMs }),
      servedOrigin: () => this.#served?.summary.origin ?? null,
      collect: (run) => this.#collect(part, run),
    };
  }

  [Symbol.dispose](): void {
    this.#tables.dispose();
  }

  async #collect(part: CatalogPartName, run: RunContext): Promise<Collection<PartEntries>> {
    const counts = new FindingCounts<GateKind, string>();
    const report: CatalogReport = ({ kind, detail }) => counts.add(kindOf(kind), [detail]);
    const entries = this.#tables.use(new EntryTable(join(run.folder, 'entries.db')));
    const { mismatch = 0, ...facts } = await this.#read(part, run, entries, report);
    if (mismatch > 0) {
      const detail = `The pages differ from the total by ${mismatch} datasets.`;
      counts.add('count_mismatch', [detail], mismatch);
    }
    const collectedAt = new Date(run.moment).toISOString();
    const data = { part, collectedAt, entries, deleted: new Set<string>(), name: '', ...facts };
    const { total, byType } = entries.counts();
    const findings = [
      ...this.#lossFindings(part, byType, run.previousLoss),
      ...gateFindings(counts),
    ];
    return { data, rows: total, findings, hasPrevious: true };
  }

  async #read(
    part: CatalogPartName,
    run: RunContext,
    entries: EntryTable,
    report: CatalogReport,
  ): Promise<PartFacts> {
    const { reparse, client } = this.#options;
    const site = reparse === true ? null : siteOf(this.#options);
    if (part === 'api') return collectMeta(run, reparse === true ? null : client, entries, report);
    if (part === 'linked') return collectLinked(run, site, entries, report);
    const isOdd = (): boolean => {
      const { total, byType } = entries.counts();
      return total === 0 || this.#lossFindings(part, byType, 0).length > 0;
    };
    return { name: await collectList(run, site, entries, report, isOdd) };
  }

  #lossFindings(
    part: CatalogPartName,
    byType: Readonly<Record<CatalogType, number>>,
    previousLoss: number,
  ): GateFinding[] {
    const types = part === 'linked' ? (['LINKED'] as const) : listedTypes;
    const previous = this.#previous?.summary.byType ?? { API: 0, FILE: 0, LINKED: 0, STD: 0 };
    const isEmpty = types.every((type) => byType[type] === 0 && previous[type] === 0);
    if (isEmpty) return [{ kind: 'no_records', count: 0, detail: 'No dataset was collected.' }];
    return lossFindings(byType, previous, types, previousLoss);
  }
}

type PartFacts = Partial<Pick<PartEntries, 'deleted' | 'name'>> & { readonly mismatch?: number };

const titles: Readonly<Record<CatalogPartName, string>> = {
  list: 'List file 15062804',
  api: 'Meta API 15077093',
  linked: 'Web list of LINKED datasets',
};

function kindOf(kind: CatalogFindingKind): GateKind {
  if (kind === 'row_refused') return 'rows_refused';
  return kind === 'duplicate' ? 'duplicate_keys' : 'values_unreadable';
}

/** The web list is made for users: it is read at their pace. */
function siteOf(options: CollectCatalogOptions): PortalSite {
  const limits = { callsPerSecond: catalogLimits.webPagesPerSecond, ...options.limits };
  return createPortalSite({ ...options, limits });
}
