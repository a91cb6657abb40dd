import { setOfList, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { unreadOf } from './unread.ts';
import { countMembers, rankedRows, rowsInOrder, type SortKey } from './ranking.ts';
import type { AxisReading, Selection } from './selection.ts';
import { columnKey, distanceKey, randomKey } from './sort-keys.ts';

/** Selection of records and the part of it that is wanted, in an order. */
export interface SelectQuery extends Selection {
  /** Columns by precedence; ties are in the order of the records. By default by distance with `near`. */
  readonly sort?: readonly SortTerm[];
  /** Takes some of the selected records, equal for equal seeds. */
  readonly sample?: { readonly size: number; readonly seed: number };
  readonly offset: number;
  readonly limit: number;
}

export interface SortTerm {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface SelectResult {
  /** Ordinals of the records, in the order of the answer. */
  readonly rows: readonly number[];
  /** Number of selected records; of sampled ones with `sample`. */
  readonly total: number;
  /** Metres to a decimetre, one a row; only with `near`. */
  readonly distances?: readonly number[];
  /** Values that could not be read, in the whole axis, by name of each typed column of the query. */
  readonly unread: Readonly<Record<string, number>>;
}

/** Selects records of an axis and sorts them. */
export function* selectRecords(
  reading: AxisReading,
  query: SelectQuery,
): Generator<void, SelectResult> {
  const { sample, near, sort = [], offset, limit } = query;
  let sets = yield* reading.select(query);
  if (sample !== undefined) {
    const rows = yield* rankedRows(sets, [randomKey(sample.seed)], 0, sample.size);
    sets = setsOfRows(rows, sets.length);
  }
  const keys: SortKey[] = sort.map(({ column, isDescending }) =>
    columnKey(reading.scans.of(column), isDescending),
  );
  if (near !== undefined && keys.length === 0) keys.push(distanceKey(reading.places, near));
  const rows =
    keys.length === 0
      ? rowsInOrder(sets, offset, limit)
      : yield* rankedRows(sets, keys, offset, limit);
  const distances =
    near === undefined ? null : rows.map((row) => reading.places.distanceOfRow(near, row));
  return {
    rows,
    total: countMembers(sets),
    ...(distances === null ? {} : { distances }),
    unread: unreadOf(
      reading,
      query.condition,
      sort.map(({ column }) => column),
    ),
  };
}

function setsOfRows(rows: readonly number[], chunks: number): DocumentSet[] {
  const byChunk = Map.groupBy(rows, (row) => Math.floor(row / chunkDocumentsMax));
  return Array.from({ length: chunks }, (_, chunk) => {
    const documents = (byChunk.get(chunk) ?? []).map((row) => row % chunkDocumentsMax);
    return setOfList(Uint16Array.from(documents).sort());
  });
}
