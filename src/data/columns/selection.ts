import type { Field } from '../axis.ts';
import { intersect, type DocumentSet } from '../search/document-set.ts';
import { tagKey } from '../search/gram.ts';
import type { SearchIndex } from '../search/index-file.ts';
import { taggedSet } from '../search/listing.ts';
import type { Query } from '../search/rank.ts';
import { Search } from '../search/search.ts';
import { ColumnScans } from './column-scan.ts';
import type { ColumnsFile } from './columns-file.ts';
import type { Condition } from './condition.ts';
import { boxAround, type Box, type Position } from './distance.ts';
import { Places } from './places.ts';
import { prepareCondition, testOfAll, type ChunkTest } from './where.ts';

/** Selection of the records that fulfil every condition given here. */
export interface Selection {
  readonly condition?: Condition;
  /** Codes of regions; a record must be in one of them. */
  readonly regions?: readonly string[];
  /** Full-text query; it has at least one term. */
  readonly search?: Query;
  readonly near?: Neighbourhood;
  readonly bbox?: Box;
}

/** All positions within `radius` metres of one; without a radius, every position. */
interface Neighbourhood extends Position {
  readonly radius?: number;
}

/** Columns and index of an axis as one query reads them. */
export class AxisReader {
  readonly scans: ColumnScans;
  readonly #index: SearchIndex;
  readonly #fields: readonly Field[];
  #places: Places | null = null;

  constructor(columns: ColumnsFile, index: SearchIndex, fields: readonly Field[]) {
    this.scans = new ColumnScans(columns);
    this.#index = index;
    this.#fields = fields;
  }

  /** Coordinates of the records, from the fields with the roles `lat` and `lon`. */
  get places(): Places {
    const nameOf = (role: Field['role']): string => {
      const field = this.#fields.find((one) => one.role === role);
      if (field === undefined) throw new Error('The axis has no coordinates. Use another one.');
      return field.name;
    };
    this.#places ??= new Places(this.scans.scanOf(nameOf('lat')), this.scans.scanOf(nameOf('lon')));
    return this.#places;
  }

  /** Finds the selected records: a set for each chunk. */
  *select(selection: Selection): Generator<void, DocumentSet[]> {
    const { regions, search, near } = selection;
    const found =
      search === undefined ? null : yield* new Search([{ index: this.#index }], search).sets();
    const test = testOfAll(yield* this.#tests(selection));
    const tags = regions?.map((region) => tagKey(Number(region)));
    const sets: DocumentSet[] = [];
    for (const [at, chunk] of this.#index.chunks.entries()) {
      let set = test(at, chunk.documents);
      if (tags !== undefined) set = intersect(set, taggedSet(chunk, tags));
      if (found !== null) set = intersect(set, found[at]!);
      if (near?.radius !== undefined) {
        set = yield* this.places.near({ ...near, radius: near.radius }, at, set);
      }
      sets.push(set);
      yield;
    }
    return sets;
  }

  *#tests({ condition, near, bbox }: Selection): Generator<void, ChunkTest[]> {
    const tests: ChunkTest[] = [];
    if (condition !== undefined) tests.push(yield* prepareCondition(this.scans, condition));
    if (bbox !== undefined) tests.push(this.places.within(bbox));
    if (near?.radius !== undefined) tests.push(this.places.within(boxAround(near, near.radius)));
    else if (near !== undefined) tests.push(this.places.withPosition());
    return tests;
  }
}
