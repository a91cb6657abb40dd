import type { CatalogType, StoredAxis, Origin } from '../../data/axis.ts';
import type { CatalogPart } from '../../data/catalog.ts';
import type { Cluster, ClustersQuery } from '../../data/columns/clusters.ts';
import type { SelectQuery, SelectResult } from '../../data/columns/select-records.ts';
import type { GroupsQuery, GroupsResult } from '../../data/columns/groups.ts';
import type { Histogram, HistogramQuery } from '../../data/columns/histogram.ts';
import type { RecordAdditions } from '../../data/columns/record-additions.ts';
import type { ValuesQuery, ValuesResult } from '../../data/columns/values.ts';
import type { Demand } from '../../data/demand.ts';
import type { StoredBoundaries } from '../../data/regions/stored-boundaries.ts';
import type { Collectors } from '../../data/snapshot/layout.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import type { TypedText } from '../../data/korean/typed-text.ts';
import type { Topics } from './topics.ts';
import { AxisCounts } from './axis-counts.ts';
import type { IsAbandoned } from './sliced-work.ts';

/**
 * Storage of the lookup service. Read-only: none of its methods can change anything. A store is one snapshot; a
 * new snapshot is a new store.
 */
export interface LookupStore extends AsyncDisposable {
  readonly snapshot: SnapshotInfo;
  /** Every stored axis, by code. */
  readonly axes: ReadonlyMap<string, StoredAxis>;
  /** Subjects of the stored datasets. */
  readonly topics: Topics;
  readonly demand: Demand | null;
  /** Boundaries that were loaded for maps. */
  boundaries(): readonly StoredBoundaries[];
  readonly catalog: CatalogSummary;
  /** Records `offset` to `offset + limit` of an axis, or of its part in one region. */
  page(code: string, query: PageQuery): Promise<Page>;
  /** Selects and sorts records of an axis. Throws if a column of the query does not exist, or a range is of no value. */
  select(code: string, query: SelectQuery, isAbandoned?: IsAbandoned): Promise<SelectResult>;
  /** Counts the values of a column. */
  values(code: string, query: ValuesQuery, isAbandoned?: IsAbandoned): Promise<ValuesResult>;
  /** Counts the numbers of a column by bins with round edges. */
  histogram(code: string, query: HistogramQuery, isAbandoned?: IsAbandoned): Promise<Histogram>;
  /** Groups records and computes aggregates of each group. */
  groups(code: string, query: GroupsQuery, isAbandoned?: IsAbandoned): Promise<GroupsResult>;
  /** Gathers records in the cells of a grid. Throws if the axis has no coordinates. */
  clusters(
    code: string,
    query: ClustersQuery,
    isAbandoned?: IsAbandoned,
  ): Promise<readonly Cluster[]>;
  /** JSON of records by ordinal, UTF-8. */
  records(code: string, rows: readonly number[]): readonly Buffer[];
  /** Members that Maru adds to records, by ordinal. */
  additions(code: string, rows: readonly number[]): readonly RecordAdditions[];
  /** Ordinal of the first record with an id; null if there is none. */
  rowOf(code: string, id: string): Promise<number | null>;
  /** The Parquet file of an axis; null if its snapshot was written without one. */
  parquet(code: string): StoredFile | null;
  /** Rejects with an `AbortError` once `isAbandoned` is true. */
  search(query: SearchQuery, isAbandoned?: IsAbandoned): Promise<SearchResult>;
  /** True if a search finds any record. */
  hasMatch(query: Pick<SearchQuery, 'terms' | 'text'>, isAbandoned?: IsAbandoned): Promise<boolean>;
  /** Words one letter apart from a word that probably occur, in most records first. */
  similarWords(word: string, scope: SearchScope, isAbandoned?: IsAbandoned): Promise<string[]>;
  /** The words of names that a text without blanks consists of; null if it consists of no such words. */
  dividedWord(
    text: string,
    scope: SearchScope,
    isAbandoned?: IsAbandoned,
  ): Promise<readonly string[] | null>;
  /** Names of records with the given initial consonants at their start; before them, any such words of the catalog. */
  namesWithInitials(
    initials: string,
    scope: SearchScope,
    isAbandoned?: IsAbandoned,
  ): Promise<string[]>;
  /** Names of records that begin with a text that is being typed, frequent ones first, sample data last. */
  typedNames(typed: TypedText, isAbandoned?: IsAbandoned): Promise<readonly NamedRecord[]>;
  catalogSearch(query: CatalogQuery, isAbandoned?: IsAbandoned): Promise<CatalogResult>;
  /** JSON of entries that have a part of a query with terms, and are not found by it, nearest first. */
  catalogNear(
    query: Pick<CatalogQuery, 'terms' | 'type'>,
    limit: number,
    isAbandoned?: IsAbandoned,
  ): Promise<readonly Buffer[]>;
  /** JSON of the first entries that a query with terms finds, without totals. */
  catalogTop(
    query: Pick<CatalogQuery, 'terms' | 'text'>,
    limit: number,
    isAbandoned?: IsAbandoned,
  ): Promise<readonly Buffer[]>;
  /** Ids of the snapshots that can be compared with this one, oldest first. */
  snapshotIds(): readonly string[];
  /** Opens another stored snapshot for the caller, who closes it; null if it is no longer stored. */
  openSnapshot(id: string): Promise<LookupStore | null>;
  /** A record as an earlier snapshot has it; null if one of both is no longer stored. */
  earlierRecord(query: EarlierRecordQuery): Promise<EarlierRecord | null>;
  /** Changes of an axis since an earlier snapshot; null if that snapshot is no longer stored. */
  changes(code: string, query: ChangesQuery): Promise<Changes | null>;
}

export interface SnapshotInfo {
  readonly id: string;
  /** ISO 8601 date-time. */
  readonly builtAt: string;
  readonly previous: string | null;
  readonly schemaVersion: number;
  /** Bytes of all search indexes. */
  readonly indexBytes: number;
  /** Outcome of the last collections; null if none has run. */
  readonly collectors?: Collectors | null;
}

/** A file of the snapshot. */
export interface StoredFile {
  /** In bytes. */
  readonly length: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Reads the bytes from `start` up to and without `end`. */
  readonly read: (start: number, end: number) => AsyncGenerator<Uint8Array, void>;
}

export interface PageQuery {
  readonly offset: number;
  readonly limit: number;
  /** Selects the records of any of these regions, by code. */
  readonly regions?: readonly string[];
}

export interface Page {
  /** JSON objects in UTF-8, joined by `,\n`: the content of an array. */
  readonly items: Buffer;
  readonly count: number;
  readonly total: number;
}

/** The records of all axes, or the entries of the catalog. */
export type SearchScope = 'records' | 'catalog';

/** Texts that must have the terms of a search; see `SearchQuery.match`. */
export type SearchMatch = 'topic' | 'record';

export interface SearchQuery {
  /** Normalised terms, each of which must occur in a field. */
  readonly terms: readonly SearchTerm[];
  /** The texts of the terms, a blank between them. */
  readonly text: string;
  /** `record`: every term must occur in the record. `topic`, the default: or its dataset is about the term. */
  readonly match?: SearchMatch;
  readonly axis?: string;
  /** Code of a region: its records alone. */
  readonly region?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Number of hits of all pages: the total without records whose name repeats at the top of the answer. */
  readonly hitsTotal: number;
  readonly total: number;
  readonly totalRelation: 'eq' | 'gte';
  /** Number of matches that are sample data. */
  readonly sample: number;
  readonly axes: AxisCounts;
}

export const nothingFound: SearchResult = {
  hits: [],
  hitsTotal: 0,
  total: 0,
  totalRelation: 'eq',
  sample: 0,
  axes: AxisCounts.none,
};

export interface SearchHit {
  readonly axis: string;
  /** Ordinal within the axis, from 0. */
  readonly row: number;
  readonly score: number;
  /** Number of other records of the axis with the same name, which are not listed as hits. */
  readonly more: number;
  /** The record's JSON, UTF-8. */
  readonly record: Buffer;
}

/** A record that was found by its name. */
export interface NamedRecord {
  readonly axis: string;
  /** The record's JSON, UTF-8. */
  readonly record: Buffer;
}

export interface CatalogQuery {
  readonly terms: readonly SearchTerm[];
  readonly text: string;
  readonly type?: CatalogType;
  readonly offset: number;
  readonly limit: number;
}

export interface CatalogResult {
  /** A record is the JSON of a `CatalogEntry`; the score is null without a query. */
  readonly hits: readonly { readonly record: Buffer; readonly score: number | null }[];
  readonly total: number;
  readonly totalRelation: 'eq' | 'gte';
  /** Hits by type, ignoring the `type` filter. */
  readonly types: Readonly<Record<CatalogType, number>>;
  /** Hits with and without a stored axis. */
  readonly held: { readonly true: number; readonly false: number };
}

export interface CatalogSummary {
  readonly total: number;
  readonly byType: Readonly<Record<CatalogType, number>>;
  /** Entries with a stored axis. */
  readonly held: number;
  /** ISO 8601 date of the list; null when no catalog is loaded. */
  readonly date: string | null;
  /** Null if no catalog is loaded. */
  readonly origin: Origin | null;
  readonly parts?: readonly CatalogPart[];
}

export interface ChangesQuery {
  /** Id of the earlier snapshot. */
  readonly since: string;
  /** Position in the list of added, changed and removed records, in this order. */
  readonly offset: number;
  readonly limit: number;
}

export interface EarlierRecordQuery {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** Code of the axis. */
  readonly code: string;
  /** Id of the record. */
  readonly id: string;
}

export interface EarlierRecord {
  /** The axis as it was. */
  readonly stored: StoredAxis;
  /** JSON, UTF-8. */
  readonly record: Buffer;
  readonly additions: RecordAdditions;
  /** ISO 8601 date-time of the snapshot. */
  readonly builtAt: string;
}

/** A page of changes. Records are JSON in UTF-8. */
export interface Changes {
  readonly added: readonly Buffer[];
  readonly changed: readonly { readonly before: Buffer; readonly after: Buffer }[];
  readonly removed: readonly Buffer[];
  readonly totals: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
  };
}
