import type { Field } from '../axis.ts';
import { RecordHash } from '../record-id.ts';
import { currentRegion, noRegion, type CurrentRegion } from '../regions/current-region.ts';
import { ColumnRun, valueAt } from './column-run.ts';
import { ColumnsWriter, type NewColumn } from './columns-writer.ts';
import type { RecordRun } from './record-runs.ts';

/** Columns that Maru adds to those of the source. */
const addedColumns: readonly NewColumn[] = [
  { name: '_sido', type: 'string' },
  { name: '_sigungu', type: 'string' },
  { name: '_total', type: 'boolean' },
];

/** Facts about a record that are not among its values. */
interface RecordFacts {
  /** Codes of the regions of the record; null if they are not known. */
  readonly regionCodes: readonly string[] | null;
  /** True for a total or subtotal of other records. */
  readonly isTotal: boolean;
}

/** Writes the columns of an axis: those of its fields, then the current region and the flag of a total. */
export class AxisColumns implements Disposable {
  readonly #writer: ColumnsWriter;
  /** Positions of the key fields; empty if the axis has none. */
  readonly #keys: readonly number[];
  readonly #regions = new WeakMap<readonly string[], CurrentRegion>();

  constructor(path: string, fields: readonly Field[], keyFields: readonly string[]) {
    this.#writer = new ColumnsWriter(path, [...fields.map(columnOf), ...addedColumns]);
    const keys = keyFields.map((key) => fields.findIndex(({ name }) => name === key));
    this.#keys = keys.includes(-1) ? [] : keys;
  }

  /**
   * Adds a run, with the columns of the fields and the ids of the records by content. If it is the only run of the axis,
   * it must stay valid until `finish`.
   */
  add(run: RecordRun, factsOf: (record: number) => RecordFacts): void {
    const added = addedColumns.map(() => new ColumnRun());
    const [sidos, sigungus, totals] = added;
    for (let record = 0; record < run.records; record++) {
      const { regionCodes, isTotal } = factsOf(record);
      const { sido, sigungu } = regionCodes === null ? noRegion : this.#regionOf(regionCodes);
      sidos!.add(sido);
      sigungus!.add(sigungu);
      totals!.add(isTotal);
    }
    const ids = this.#keys.length === 0 ? run.ids : this.#idsOf(run);
    this.#writer.add({ ...run, columns: [...run.columns, ...added], ids });
  }

  /** Writes the file. */
  finish(): { bytes: number; sha256: string } {
    return this.#writer.finish();
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }

  /** Ids of records: by the key fields, or by content if all of them are null. */
  #idsOf({ columns, records, ids }: RecordRun): Uint32Array {
    const hash = new RecordHash();
    const keys = this.#keys.map((at) => columns[at]!);
    const idsByKey = ids.slice();
    for (let record = 0; record < records; record++) {
      if (!hash.hashKey(keys.map((key) => valueAt(key, record)))) continue;
      idsByKey[record * 2] = hash.high;
      idsByKey[record * 2 + 1] = hash.low;
    }
    return idsByKey;
  }

  #regionOf(codes: readonly string[]): CurrentRegion {
    let region = this.#regions.get(codes);
    if (region === undefined) {
      region = currentRegion(codes);
      this.#regions.set(codes, region);
    }
    return region;
  }
}

/** Column of a field, with the unit and the signs that serve to read its values. */
function columnOf({ name, type, unit, signs }: Field): NewColumn {
  const isNumeric = type === 'integer' || type === 'number';
  return {
    name,
    type,
    ...(isNumeric && unit !== null ? { unit } : {}),
    ...(signs === undefined ? {} : { signs }),
  };
}
