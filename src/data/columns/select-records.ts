import { setOfList, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { unreadOf } from './unread.ts';
import { countMembers, rankedRows, rowsInOrder, type SortKey } from './ranking.ts';
import type { AxisReader, Selection } from './selection.ts';
import { columnKey, distanceKey, randomKey } from './sort-keys.ts';

/** Selection of records, with their order and the page to return. */
export interface SelectQuery extends Selection {
  /** Columns by precedence; ties are in the order of the records. The default with `near` is by distance. */
  readonly sort?: readonly SortTerm[];
  /** Takes a random sample of the selected records, the same for equal seeds. */
  readonly sample?: { readonly size: number; readonly seed: number };
  readonly offset: number;
  readonly limit: number;
}

export interface SortTerm {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface SelectResult {
  /** Rows of the records, in the order of the answer. */
  readonly rows: readonly number[];
  /** Number of selected records; with `sample`, of those in the sample. */
  readonly total: number;
  /** Distance of each row in metres, to a decimetre; only with `near`. */
  readonly distances?: readonly number[];
  /** Number of unreadable values in the whole axis, by the names of the query's typed columns. */
  readonly unread: Readonly<Record<string, number>>;
}

/** Selects records of an axis and sorts them. */
export function* selectRecords(
  reader: AxisReader,
  query: SelectQuery,
): Generator<void, SelectResult> {
  const { sample, near, sort = [], offset, limit } = query;
  let sets = yield* reader.select(query);
  if (sample !== undefined) {
    const rows = yield* rankedRows(sets, [randomKey(sample.seed)], 0, sample.size);
    sets = setsOfRows(rows, sets.length);
  }
  const keys: SortKey[] = sort.map(({ column, isDescending }) =>
    columnKey(reader.scans.scanOf(column), isDescending),
  );
  if (near !== undefined && keys.length === 0) keys.push(distanceKey(reader.places, near));
  const rows =
    keys.length === 0
      ? rowsInOrder(sets, offset, limit)
      : yield* rankedRows(sets, keys, offset, limit);
  const distances =
    near === undefined ? null : rows.map((row) => reader.places.distanceOfRow(near, row));
  return {
    rows,
    total: countMembers(sets),
    ...(distances === null ? {} : { distances }),
    unread: unreadOf(
      reader,
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
