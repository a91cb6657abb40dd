import {
  regionBases,
  type Field,
  type RegionBasis,
  type RegionCount,
  type Value,
} from '../axis.ts';
import type { ByteSink } from '../byte-sink.ts';
import type { AxisColumns } from '../columns/axis-columns.ts';
import { matchingText } from '../korean/normalise.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import type { RecordsFile } from './records.ts';

/** Assigns a record to its region, by its values in field order; null if they name none. */
export type RegionJoin = (values: readonly Value[]) => RegionOfRecord | null;

interface RegionOfRecord {
  /** Codes from the sido down. */
  readonly codes: readonly string[];
  readonly basis: RegionBasis;
  /** Former regions that the record may belong to as well. */
  readonly undecided?: readonly string[];
}

/** Reads the records once more, writes their search index and columns, and counts them by region. */
export function indexRecords(
  records: RecordsFile,
  fields: readonly Field[],
  joinRegion: RegionJoin | null,
  { sink, columns, totals }: RecordsIndex,
): RegionCount[] {
  const index = new SearchIndexBuilder(sink);
  const counts = new RegionCounts();
  const names = fields.map((field) => field.name);
  const namePosition = fields.findIndex((field) => field.role === 'name' && field.searchable);
  const textPositions = fields.flatMap((field, at) =>
    field.searchable && at !== namePosition ? [at] : [],
  );
  for (const { bytes, from, starts, ends } of records.blocks()) {
    for (let i = 0; i < starts.length; i++) {
      const record = JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as Record<
        string,
        Value
      >;
      const values = names.map((name) => record[name] ?? null);
      const region = joinRegion === null ? null : joinRegion(values);
      index.add(
        namePosition < 0 ? null : searchText(values[namePosition]!),
        textPositions.map((at) => searchText(values[at]!)),
        region === null ? noTags : counts.add(region),
      );
      const json = { bytes, start: starts[i]!, end: ends[i]! };
      columns.add(values, json, region?.codes ?? null, totals.has(from + i));
    }
  }
  index.finish();
  return counts.all();
}

/** Files that are computed from the records of an axis. */
interface RecordsIndex {
  /** Search index. */
  readonly sink: ByteSink;
  readonly columns: AxisColumns;
  /** Ordinals of the records that are totals or subtotals of others. */
  readonly totals: ReadonlySet<number>;
}

/** A value as full-text search reads it. */
export function searchText(value: Value): string {
  if (value === null) return '';
  return matchingText(typeof value === 'string' ? value : String(value));
}

const noTags: readonly number[] = [];

interface RunningCount {
  readonly tag: number;
  rows: number;
  undecided: number;
  readonly bases: Set<RegionBasis>;
}

class RegionCounts {
  readonly #byCode = new Map<string, RunningCount>();

  /** Counts a record and returns its tags for the index. */
  add({ codes, basis, undecided = [] }: RegionOfRecord): number[] {
    for (const code of undecided) this.#count(code).undecided++;
    return codes.map((code) => {
      const count = this.#count(code);
      count.rows++;
      count.bases.add(basis);
      return count.tag;
    });
  }

  all(): RegionCount[] {
    return [...this.#byCode]
      .map(([code, { rows, bases, undecided }]) => ({
        code,
        rows,
        basis: regionBases.filter((basis) => bases.has(basis)),
        ...(undecided === 0 ? {} : { undecided }),
      }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
  }

  #count(code: string): RunningCount {
    let count = this.#byCode.get(code);
    if (count === undefined) {
      count = { tag: Number(code), rows: 0, undecided: 0, bases: new Set() };
      this.#byCode.set(code, count);
    }
    return count;
  }
}
