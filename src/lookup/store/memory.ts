import { catalogTypes, type CatalogType, type Row, type HeldAxis } from '../../data/axis.ts';
import { catalogTexts, isDataOf, newestFirst, type CatalogEntry } from '../../data/catalog.ts';
import type { Demand } from '../../data/demand.ts';
import { fieldSeparator } from '../../data/search/gram.ts';
import { compareRanks, rankOf, scoreOf, type Question, type Rank } from '../../data/search/rank.ts';
import { searchText } from '../../data/snapshot/index-records.ts';
import type {
  CatalogQuery,
  CatalogResult,
  CatalogSummary,
  LookupStore,
  Page,
  PageQuery,
  SearchQuery,
  SearchResult,
  SnapshotInfo,
} from './store.ts';

export interface MemoryContent {
  readonly snapshot: SnapshotInfo;
  readonly axes: readonly MemoryAxis[];
  readonly catalog?: readonly CatalogEntry[];
  readonly catalogDate?: string | null;
  readonly demand?: Demand | null;
}

export interface MemoryAxis {
  readonly held: HeldAxis;
  readonly rows: readonly Row[];
  /** Region codes of each row, in the order of the rows. */
  readonly regionsOfRows?: readonly (readonly string[])[];
}

/**
 * A store that looks at every record for every question: for tests of the service, and what the real
 * store is compared with. It is right by being simple, and slow.
 */
export class MemoryStore implements LookupStore {
  readonly snapshot: SnapshotInfo;
  readonly axes: ReadonlyMap<string, HeldAxis>;
  readonly demand: Demand | null;
  readonly catalog: CatalogSummary;
  readonly #content: readonly MemoryAxis[];
  readonly #entries: readonly CatalogEntry[];
  /** Questions put to the store, for tests that say it is left alone. */
  questions = 0;
  disposed = false;

  constructor({ snapshot, axes, catalog = [], catalogDate = null, demand = null }: MemoryContent) {
    this.snapshot = snapshot;
    this.demand = demand;
    this.#content = axes.toSorted((a, b) => compareTexts(a.held.axis.code, b.held.axis.code));
    this.axes = new Map(this.#content.map(({ held }) => [held.axis.code, held]));
    this.#entries = catalog.toSorted(newestFirst);
    this.catalog = {
      total: catalog.length,
      byType: countByType(catalog),
      held: catalog.filter((entry) => this.#isHeld(entry)).length,
      date: catalogDate,
      origin: catalog.length === 0 ? null : 'portal',
    };
  }

  async page(code: string, { offset, limit, regions }: PageQuery): Promise<Page> {
    this.questions++;
    const { rows, regionsOfRows = [] } = this.#axis(code);
    const kept =
      regions === undefined
        ? rows
        : rows.filter((_, i) => regionsOfRows[i]?.some((region) => regions.includes(region)));
    const items = kept.slice(offset, offset + limit);
    return {
      items: Buffer.from(items.map((item) => JSON.stringify(item)).join(',\n')),
      count: items.length,
      total: kept.length,
    };
  }

  async search({ terms, text, axis, offset, limit }: SearchQuery): Promise<SearchResult> {
    this.questions++;
    const searched = this.#content.filter(
      ({ held }) => (axis ?? held.axis.code) === held.axis.code,
    );
    const hits = searched.flatMap(({ held, rows }) =>
      ranked(rows, (row) => recordText(held, row), { terms, text }).map((hit) => ({
        ...hit,
        axis: held.axis.code,
      })),
    );
    const counts = Map.groupBy(hits, (hit) => hit.axis);
    return {
      hits: hits
        .sort((a, b) => compareRanks(a.rank, b.rank) || compareTexts(a.axis, b.axis) || a.at - b.at)
        .slice(offset, offset + limit)
        .map(({ axis: code, at, item, rank }) => ({
          axis: code,
          row: at,
          score: scoreOf(rank),
          record: Buffer.from(JSON.stringify(item)),
        })),
      total: hits.length,
      totalRelation: 'eq',
      axes: [...counts]
        .map(([code, { length }]) => ({ axis: code, count: length, relation: 'eq' as const }))
        .sort((a, b) => b.count - a.count || compareTexts(a.axis, b.axis)),
    };
  }

  async catalogSearch(query: CatalogQuery): Promise<CatalogResult> {
    this.questions++;
    const { terms, text, type, offset, limit } = query;
    const found =
      terms.length === 0
        ? this.#entries.map((item) => ({ item, score: null }))
        : ranked(this.#entries, catalogText, { terms, text })
            .sort((a, b) => compareRanks(a.rank, b.rank) || a.at - b.at)
            .map(({ item, rank }) => ({ item, score: scoreOf(rank) }));
    const kept = found.filter(({ item }) => (type ?? item.type) === item.type);
    const held = kept.filter(({ item }) => this.#isHeld(item)).length;
    return {
      hits: kept
        .slice(offset, offset + limit)
        .map(({ item, score }) => ({ record: Buffer.from(JSON.stringify(item)), score })),
      total: kept.length,
      totalRelation: 'eq',
      types: countByType(found.map(({ item }) => item)),
      held: { true: held, false: kept.length - held },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
  }

  #axis(code: string): MemoryAxis {
    const found = this.#content.find(({ held }) => held.axis.code === code);
    if (found === undefined) throw new Error(`The axis ${code} is not held.`);
    return found;
  }

  #isHeld({ portalId, type }: CatalogEntry): boolean {
    return this.#content.some(({ held }) => isDataOf(held, portalId, type));
  }
}

/** The texts of a record as search reads them, the name first. */
function recordText({ fields }: HeldAxis, row: Row): string {
  const searchable = fields.filter((field) => field.searchable);
  const name = searchable.find((field) => field.role === 'name');
  const texts = searchable
    .filter((field) => field !== name)
    .map((field) => searchText(row[field.name] ?? null));
  const nameText = name === undefined ? '' : searchText(row[name.name] ?? null);
  return [nameText, ...texts].join(fieldSeparator);
}

function catalogText(entry: CatalogEntry): string {
  return catalogTexts(entry).join(fieldSeparator);
}

function ranked<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  question: Question,
): { item: Item; at: number; rank: Rank }[] {
  return items.flatMap((item, at) => {
    const rank = rankOf(textOf(item), question);
    return rank === null ? [] : [{ item, at, rank }];
  });
}

function countByType(entries: readonly CatalogEntry[]): Record<CatalogType, number> {
  const counts = { API: 0, FILE: 0, LINKED: 0, STD: 0 } satisfies Record<CatalogType, number>;
  for (const type of catalogTypes) counts[type] = entries.filter((e) => e.type === type).length;
  return counts;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
