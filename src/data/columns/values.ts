import type { Value } from '../axis.ts';
import { countsByCode } from './counts-by-code.ts';
import { mostFrequent } from './most-frequent.ts';
import type { AxisReader, Selection } from './selection.ts';
import { unreadOf } from './unread.ts';

export interface ValuesQuery extends Selection {
  readonly column: string;
  readonly offset: number;
  readonly limit: number;
}

export interface ValuesResult {
  /** Values as the source wrote them, the most frequent first; ties in the order of the values. */
  readonly items: readonly { readonly value: Value; readonly count: number }[];
  /** Number of distinct values. */
  readonly total: number;
  /** Number of selected records without a value; in a typed column a marker such as `-` counts as no value. */
  readonly nulls: number;
  readonly unread: Readonly<Record<string, number>>;
}

/** Counts the values of a column in the selected records. */
export function* countValues(
  reader: AxisReader,
  query: ValuesQuery,
): Generator<void, ValuesResult> {
  const scan = reader.scans.scanOf(query.column);
  const { column } = scan;
  const counts = yield* countsByCode(scan, yield* reader.select(query));
  let [nulls, total] = [0, 0];
  for (let code = 0; code < column.firstReadable; code++) nulls += counts[code]!;
  for (const count of counts.subarray(column.firstReadable)) if (count > 0) total++;
  const { offset, limit } = query;
  const codes = yield* mostFrequent(counts, column.firstReadable, offset, limit);
  return {
    items: codes.map((code) => ({ value: column.valueOf(code), count: counts[code]! })),
    total,
    nulls,
    unread: unreadOf(reader, query.condition, [query.column]),
  };
}
