import {
  regionBases,
  type Field,
  type RegionBasis,
  type RegionCount,
  type Value,
} from '../axis.ts';
import type { ByteSink } from '../byte-sink.ts';
import type { AxisColumns } from '../columns/axis-columns.ts';
import { valueAt, type ColumnValues } from '../columns/column-run.ts';
import { matchingTextsOf } from '../columns/matching-texts.ts';
import type { RecordRun } from '../columns/record-runs.ts';
import type { ParquetFile } from '../parquet/parquet-file.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import type { SearchColumn } from '../search/chunk-texts.ts';

/** Finds the region of a record by its values, in field order; null if no value identifies a region. */
export type RegionJoin = (values: readonly Value[]) => RegionOfRecord | null;

interface RegionOfRecord {
  /** Codes from the sido down. */
  readonly codes: readonly string[];
  readonly basis: RegionBasis;
  /** Codes of former regions to which the record may belong too. */
  readonly undecided?: readonly string[];
}

/** Writes the search index, the columns and the Parquet file of records, and counts them by region. */
export function indexRecords(
  runs: Iterable<RecordRun>,
  fields: readonly Field[],
  joinRegion: RegionJoin | null,
  { sink, columns, parquet, totals }: IndexFiles,
): RegionCount[] {
  const index = new SearchIndexBuilder(sink);
  const counts = new RegionCounts();
  const nameAt = fields.findIndex((field) => field.role === 'name' && field.searchable);
  const textsAt = fields.flatMap((field, at) => (field.searchable && at !== nameAt ? [at] : []));
  for (const run of runs) {
    const regions = joinRegion === null ? null : regionsOf(run, joinRegion);
    const texts = {
      name: nameAt < 0 ? null : searchTexts(run.columns[nameAt]!),
      others: textsAt.map((at) => searchTexts(run.columns[at]!)),
    };
    index.addRun(run.records, texts, (record) => {
      const region = regions?.[record] ?? null;
      return region === null ? noTags : counts.add(region);
    });
    columns.add(run, (record) => ({
      regionCodes: regions?.[record]?.codes ?? null,
      isTotal: totals.has(run.from + record),
    }));
    parquet.addGroup(run.columns, run.records);
  }
  index.finish();
  return counts.all();
}

function regionsOf(
  { records, columns }: RecordRun,
  joinRegion: RegionJoin,
): (RegionOfRecord | null)[] {
  const regions: (RegionOfRecord | null)[] = [];
  const values: Value[] = columns.map(() => null);
  for (let record = 0; record < records; record++) {
    for (let at = 0; at < values.length; at++) values[at] = valueAt(columns[at]!, record);
    regions.push(joinRegion(values));
  }
  return regions;
}

/** Files that are computed from the records of an axis, and the totals among the records. */
interface IndexFiles {
  /** Sink of the search index. */
  readonly sink: ByteSink;
  readonly columns: AxisColumns;
  readonly parquet: ParquetFile;
  /** Rows that are totals or subtotals of other records. */
  readonly totals: ReadonlySet<number>;
}

function searchTexts({ values, valueNumbers }: ColumnValues): SearchColumn {
  return { texts: ['', ...matchingTextsOf(values)], textNumbers: valueNumbers };
}

const noTags: readonly number[] = [];

interface RunningCount {
  readonly tag: number;
  rows: number;
  undecided: number;
  readonly bases: Set<RegionBasis>;
}

interface RegionFacts {
  readonly counts: readonly RunningCount[];
  readonly tags: readonly number[];
  readonly undecided: readonly RunningCount[];
}

class RegionCounts {
  readonly #byCode = new Map<string, RunningCount>();
  /** Cache by object: a region join returns the same object for many records. */
  readonly #facts = new WeakMap<RegionOfRecord, RegionFacts>();

  /** Counts a record and returns its tags for the index. */
  add(region: RegionOfRecord): readonly number[] {
    let facts = this.#facts.get(region);
    if (facts === undefined) this.#facts.set(region, (facts = this.#factsOf(region)));
    for (const count of facts.undecided) count.undecided++;
    for (const count of facts.counts) count.rows++;
    return facts.tags;
  }

  #factsOf({ codes, basis, undecided = [] }: RegionOfRecord): RegionFacts {
    const counts = codes.map((code) => this.#count(code));
    for (const { bases } of counts) bases.add(basis);
    return {
      counts,
      tags: counts.map(({ tag }) => tag),
      undecided: undecided.map((code) => this.#count(code)),
    };
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
