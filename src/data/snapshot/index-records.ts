import {
  regionBases,
  type Field,
  type RegionBasis,
  type RegionCount,
  type Value,
} from '../axis.ts';
import type { ByteSink } from '../byte-sink.ts';
import { matchingText } from '../korean/normalise.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import type { RecordsFile } from './records.ts';

/** Where a record lies, from its values in field order: codes from the province down, and by what it is known. */
export type RegionJoin = (values: readonly Value[]) => RegionOfRecord | null;

export interface RegionOfRecord {
  readonly codes: readonly string[];
  readonly basis: RegionBasis;
}

/** Reads the records once more, writes their search index to `sink` and counts them by region. */
export function indexRecords(
  records: RecordsFile,
  fields: readonly Field[],
  joinRegion: RegionJoin | null,
  sink: ByteSink,
): RegionCount[] {
  const index = new SearchIndexBuilder(sink);
  const counts = new RegionCounts();
  const names = fields.map((field) => field.name);
  const nameAt = fields.findIndex((field) => field.role === 'name' && field.searchable);
  const textsAt = fields.flatMap((field, at) => (field.searchable && at !== nameAt ? [at] : []));
  for (const { bytes, starts, ends } of records.blocks()) {
    for (let i = 0; i < starts.length; i++) {
      const record = JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as Record<
        string,
        Value
      >;
      const values = names.map((name) => record[name] ?? null);
      const region = joinRegion === null ? null : joinRegion(values);
      index.add(
        nameAt < 0 ? null : searchText(values[nameAt]!),
        textsAt.map((at) => searchText(values[at]!)),
        region === null ? noTags : counts.add(region),
      );
    }
  }
  index.finish();
  return counts.all();
}

/** A value as full-text search reads it. */
export function searchText(value: Value): string {
  if (value === null) return '';
  return matchingText(typeof value === 'string' ? value : String(value));
}

const noTags: readonly number[] = [];

class RegionCounts {
  readonly #byCode = new Map<string, { tag: number; rows: number; bases: Set<RegionBasis> }>();

  /** Counts a record and returns the tags under which the index finds it again. */
  add({ codes, basis }: RegionOfRecord): number[] {
    return codes.map((code) => {
      let count = this.#byCode.get(code);
      if (count === undefined) {
        count = { tag: Number(code), rows: 0, bases: new Set() };
        this.#byCode.set(code, count);
      }
      count.rows++;
      count.bases.add(basis);
      return count.tag;
    });
  }

  all(): RegionCount[] {
    return [...this.#byCode]
      .map(([code, { rows, bases }]) => ({
        code,
        rows,
        basis: regionBases.filter((basis) => bases.has(basis)),
      }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
  }
}
