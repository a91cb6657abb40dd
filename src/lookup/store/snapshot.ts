import { createReadStream } from 'node:fs';
import type { StoredAxis } from '../../data/axis.ts';
import type { Demand } from '../../data/demand.ts';
import {
  selectRecords,
  type SelectQuery,
  type SelectResult,
} from '../../data/columns/select-records.ts';
import { clusterRecords, type ClustersQuery } from '../../data/columns/clusters.ts';
import type { ColumnsFile } from '../../data/columns/columns-file.ts';
import { groupRecords, type GroupsQuery, type GroupsResult } from '../../data/columns/groups.ts';
import { countBins, type HistogramQuery } from '../../data/columns/histogram.ts';
import {
  findId,
  readAdditions,
  type RecordAdditions,
} from '../../data/columns/record-additions.ts';
import { AxisReader } from '../../data/columns/selection.ts';
import { countValues, type ValuesQuery, type ValuesResult } from '../../data/columns/values.ts';
import { tagKey } from '../../data/search/gram.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { listTagged } from '../../data/search/listing.ts';
import { scoreOf, type Query } from '../../data/search/rank.ts';
import { PartOrder } from '../../data/search/part-order.ts';
import { Search } from '../../data/search/search.ts';
import type { SearchedIndex, SearchedIndexes } from '../../data/search/searched-indexes.ts';
import { Problem } from '../../kernel/problem.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { SlicedWork, type IsAbandoned } from './sliced-work.ts';
import { initialsOf } from '../../data/korean/initials.ts';
import type { TypedText } from '../../data/korean/typed-text.ts';
import type { SearchChunk } from '../../data/search/index-file.ts';
import { namesWithInitials } from '../../data/search/initials.ts';
import { wordsWithInitials } from '../../data/search/words-with-initials.ts';
import { typedNames } from '../../data/search/typed-names.ts';
import { dividedWord } from '../../data/search/divided-word.ts';
import { similarWords } from '../../data/search/spellings.ts';
import { withRegionTags } from './region-terms.ts';
import type { Topics } from './topics.ts';
import type { StoredBoundaries } from '../../data/regions/stored-boundaries.ts';
import type { OpenedPart } from '../../data/snapshot/opened-part.ts';
import type { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { snapshotIds } from '../../data/snapshot/snapshots.ts';
import { AxisChanges } from './axis-changes.ts';
import { AxisCounts } from './axis-counts.ts';
import { type CatalogPart, countByType, noCatalogResult } from './catalog-part.ts';
import { readEarlierRecord } from './earlier-record.ts';
import { RecentSearches } from './recent-searches.ts';
import { openParts } from './store-parts.ts';
import type {
  CatalogQuery,
  CatalogResult,
  CatalogSummary,
  Changes,
  ChangesQuery,
  EarlierRecord,
  EarlierRecordQuery,
  LookupStore,
  NamedRecord,
  Page,
  PageQuery,
  SearchQuery,
  SearchResult,
  SearchScope,
  SnapshotInfo,
  StoredFile,
} from './store.ts';

/** A store over the folder of a snapshot: pages are slices of a file, totals are counts of sets. */
export class SnapshotStore implements LookupStore {
  readonly snapshot: SnapshotInfo;
  readonly axes: ReadonlyMap<string, StoredAxis>;
  readonly topics: Topics;
  readonly demand: Demand | null;
  readonly catalog: CatalogSummary;
  readonly #opened: OpenedSnapshot;
  readonly #codes: readonly string[];
  readonly #searched: SearchedIndexes;
  readonly #catalog: CatalogPart | null;
  readonly #searches = new RecentSearches();
  readonly #slicedWork = new SlicedWork();
  readonly #data: string;
  readonly #changes: AxisChanges;

  /** Opens a snapshot in steps of a few milliseconds. Throws when it is absent, damaged or of another format. */
  static *opening(data: string, id: string): Generator<void, SnapshotStore> {
    return new SnapshotStore(data, id, yield* openParts(data, id));
  }

  /** Throws when the snapshot is absent, damaged or of another format. */
  constructor(data: string, id: string, parts = runSteps(openParts(data, id))) {
    const { opened, axes, chunks, topics, catalog } = parts;
    this.#opened = opened;
    this.#data = data;
    this.#changes = new AxisChanges(data, opened, this.#slicedWork);
    this.axes = axes;
    this.demand = opened.demand;
    this.#codes = opened.files.codes;
    this.#searched = {
      size: this.#codes.length,
      documents: chunks.reduce((sum, { chunk }) => sum + chunk.documents, 0),
      chunks,
      order: new PartOrder(chunks),
      isLast: Uint8Array.from(this.#codes, (code) => Number(isSample(axes.get(code)!))),
      fulfilled: null,
    };
    this.topics = topics;
    this.#catalog = catalog;
    this.catalog = {
      ...(opened.catalog?.summary ?? noCatalog),
      held: this.#catalog?.storedTotal ?? 0,
    };
    const { manifest } = opened;
    this.snapshot = {
      id: manifest.id,
      builtAt: manifest.builtAt,
      previous: manifest.previous,
      schemaVersion: manifest.formatVersion,
      indexBytes: opened.indexBytes,
      collectors: manifest.collectors ?? null,
    };
  }

  async page(code: string, { offset, limit, regions }: PageQuery): Promise<Page> {
    const { records, index } = this.#opened.part(code);
    if (regions === undefined) return { ...records.page(offset, limit), total: records.count };
    const tags = regions.map((region) => tagKey(Number(region)));
    const { documents, total } = listTagged(index, tags, offset, limit);
    return { items: joinRecords(records, documents), count: documents.length, total };
  }

  boundaries(): readonly StoredBoundaries[] {
    return this.#opened.boundaries();
  }

  parquet(code: string): StoredFile | null {
    const file = this.#opened.parquet(code);
    if (file === null) return null;
    const { path, at, bytes, sha256 } = file;
    return { length: bytes, sha256, read: (start, end) => readPart(path, at + start, at + end) };
  }

  async select(code: string, query: SelectQuery, isAbandoned?: IsAbandoned): Promise<SelectResult> {
    return this.#slicedWork.run(selectRecords(this.#reader(code), query), isAbandoned);
  }

  async values(code: string, query: ValuesQuery, isAbandoned?: IsAbandoned): Promise<ValuesResult> {
    return this.#slicedWork.run(countValues(this.#reader(code), query), isAbandoned);
  }

  async histogram(code: string, query: HistogramQuery, isAbandoned?: IsAbandoned) {
    return this.#slicedWork.run(countBins(this.#reader(code), query), isAbandoned);
  }

  async groups(code: string, query: GroupsQuery, isAbandoned?: IsAbandoned): Promise<GroupsResult> {
    return this.#slicedWork.run(groupRecords(this.#reader(code), query), isAbandoned);
  }

  async clusters(code: string, query: ClustersQuery, isAbandoned?: IsAbandoned) {
    return this.#slicedWork.run(clusterRecords(this.#reader(code), query), isAbandoned);
  }

  records(code: string, rows: readonly number[]): readonly Buffer[] {
    const { records } = this.#opened.part(code);
    return rows.map((row) => records.record(row));
  }

  additions(code: string, rows: readonly number[]): readonly RecordAdditions[] {
    const columns = this.#columns(code);
    return rows.map((row) => readAdditions(columns, row));
  }

  async rowOf(code: string, id: string): Promise<number | null> {
    return this.#slicedWork.run(findId(this.#columns(code), id));
  }

  async search(
    { axis, region, offset, limit, match = 'topic', ...query }: SearchQuery,
    isAbandoned?: IsAbandoned,
  ): Promise<SearchResult> {
    const codes = axis === undefined ? this.#codes : this.axes.has(axis) ? [axis] : [];
    const indexesOf = (): SearchedIndexes | SearchedIndex[] => {
      const terms = match === 'topic' ? query.terms : [];
      return axis === undefined ? this.#allAxes(terms) : this.#searchedAxes(codes, terms);
    };
    const scope = `${match} ${axis ?? ''} ${region ?? ''}`;
    const tagged = match === 'topic' ? { ...query, terms: withRegionTags(query.terms) } : query;
    const tag = region === undefined ? undefined : tagKey(Number(region));
    const steps = this.#searches.run(
      { scope, query: tagged, indexesOf, isGrouped: true, tag },
      (search) => search.page({ offset, limit }),
    );
    const page = await this.#slicedWork.run(steps, isAbandoned);
    return {
      hits: page.matches.map(({ index, document, rank, more }) => ({
        axis: codes[index]!,
        row: document,
        score: scoreOf(rank),
        more,
        record: this.#opened.part(codes[index]!).records.record(document),
      })),
      total: page.total,
      totalRelation: page.totalRelation,
      hitsTotal: page.hits,
      sample: page.lastTotal,
      axes: new AxisCounts(codes, page.counts, page.areLowerBounds),
    };
  }

  async hasMatch(query: Query, isAbandoned?: IsAbandoned): Promise<boolean> {
    const terms = withRegionTags(query.terms);
    const search = new Search(this.#allAxes(query.terms), { ...query, terms });
    return this.#slicedWork.run(search.hasMatch(), isAbandoned);
  }

  async similarWords(word: string, scope: SearchScope, isAbandoned?: IsAbandoned) {
    return this.#slicedWork.run(similarWords(this.#chunks(scope), word), isAbandoned);
  }

  async dividedWord(text: string, scope: SearchScope, isAbandoned?: IsAbandoned) {
    return this.#slicedWork.run(dividedWord(this.#chunks(scope), text), isAbandoned);
  }

  async namesWithInitials(initials: string, scope: SearchScope, isAbandoned?: IsAbandoned) {
    const typed = initialsOf(initials.replaceAll(' ', ''));
    const chunks = this.#chunks(scope);
    const words =
      scope === 'catalog'
        ? await this.#slicedWork.run(wordsWithInitials(chunks, typed), isAbandoned)
        : [];
    const names = await this.#slicedWork.run(namesWithInitials(chunks, typed), isAbandoned);
    return [...words, ...names];
  }

  async typedNames(typed: TypedText, isAbandoned?: IsAbandoned): Promise<NamedRecord[]> {
    const names = await this.#slicedWork.run(typedNames(this.#searched, typed), isAbandoned);
    return names.slice(0, namesMax).map(({ index, document }) => {
      const code = this.#codes[index]!;
      return { axis: code, record: this.#opened.part(code).records.record(document) };
    });
  }

  #chunks(scope: SearchScope): readonly SearchChunk[] {
    if (scope === 'catalog') return this.#opened.catalog?.part.index.chunks ?? [];
    return this.#searched.chunks.map(({ chunk }) => chunk);
  }

  /** The indexes of all axes, with the terms that the subjects of their datasets fulfil. */
  #allAxes(terms: readonly SearchTerm[]): SearchedIndexes {
    const subjects = this.topics.subjectsOf(terms);
    return subjects.size === 0
      ? this.#searched
      : { ...this.#searched, fulfilled: subjects.fulfilled };
  }

  /** The indexes of axes, likewise. */
  #searchedAxes(codes: readonly string[], terms: readonly SearchTerm[]): SearchedIndex[] {
    const subjects = this.topics.subjectsOf(terms);
    return codes.map((code) => ({
      index: this.#opened.part(code).index,
      fulfilled: subjects.get(code)?.fulfilled ?? 0,
      isLast: isSample(this.axes.get(code)!),
    }));
  }

  async catalogSearch(query: CatalogQuery, isAbandoned?: IsAbandoned): Promise<CatalogResult> {
    return this.#catalog === null
      ? noCatalogResult
      : this.#slicedWork.run(this.#catalog.search(query), isAbandoned);
  }

  async catalogNear(
    query: Pick<CatalogQuery, 'terms' | 'type'>,
    limit: number,
    isAbandoned?: IsAbandoned,
  ) {
    return this.#catalog === null
      ? []
      : this.#slicedWork.run(this.#catalog.near(query, limit), isAbandoned);
  }

  async catalogTop(query: Query, limit: number, isAbandoned?: IsAbandoned) {
    return this.#catalog === null
      ? []
      : this.#slicedWork.run(this.#catalog.top(query, limit), isAbandoned);
  }

  snapshotIds(): readonly string[] {
    return snapshotIds(this.#data);
  }

  async openSnapshot(id: string): Promise<LookupStore | null> {
    if (!this.snapshotIds().includes(id)) return null;
    return this.#slicedWork.run(SnapshotStore.opening(this.#data, id));
  }

  earlierRecord(query: EarlierRecordQuery): Promise<EarlierRecord | null> {
    return readEarlierRecord(this.#data, query, this.#slicedWork);
  }

  changes(code: string, query: ChangesQuery): Promise<Changes | null> {
    return this.#changes.page(code, query);
  }

  #reader(code: string): AxisReader {
    const { index } = this.#opened.part(code);
    return new AxisReader(this.#columns(code), index, this.axes.get(code)!.fields);
  }

  /** Throws `storage_unavailable` for a snapshot that was written before axes had columns. */
  #columns(code: string): ColumnsFile {
    const { columns } = this.#opened.part(code);
    if (columns !== null) return columns;
    const detail = {
      ko: '이 데이터에 아직 열 색인이 없어 조건과 정렬, 집계에 답할 수 없습니다. 운영자가 서버를 다시 시작하면 만들어집니다.',
      en: 'This data has no columns yet, so conditions, sorting and groups have no answer. The operator adds them by restarting the server.',
    };
    throw new Problem('storage_unavailable', detail, { retryAfterS: 60 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#opened[Symbol.dispose]();
  }
}

/** Names of an answer to a typed text. */
const namesMax = 20;
const noCatalog = { total: 0, byType: countByType(() => 0), date: null, origin: null };

/** Reads scattered records into one buffer, in the form of a page. */
function joinRecords(records: OpenedPart['records'], documents: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (const [i, document] of documents.entries()) {
    if (i > 0) parts.push(separator);
    parts.push(records.record(document));
  }
  return Buffer.concat(parts);
}

const separator = Buffer.from(',\n');

/** Reads a part of a file in pieces. */
async function* readPart(path: string, start: number, end: number): AsyncGenerator<Buffer, void> {
  if (start === end) return;
  yield* createReadStream(path, { start, end: end - 1, highWaterMark: pieceBytes });
}

const pieceBytes = 1 << 18;

function isSample({ axis }: StoredAxis): boolean {
  return axis.origin === 'sample';
}
