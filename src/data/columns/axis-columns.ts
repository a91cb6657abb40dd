import type { Field, Value } from '../axis.ts';
import { RecordIds } from '../record-id.ts';
import { currentRegion, noRegion, type CurrentRegion } from '../regions/current-region.ts';
import { ColumnsWriter, type NewColumn, type OnRun } from './columns-writer.ts';

/** Columns that Maru adds to those of the source. */
const addedColumns: readonly NewColumn[] = [
  { name: '_sido', type: 'string' },
  { name: '_sigungu', type: 'string' },
  { name: '_total', type: 'boolean' },
];

/** Writes the columns of an axis: those of its fields, then the current region and the mark of a total. */
export class AxisColumns implements Disposable {
  readonly #writer: ColumnsWriter;
  readonly #ids: RecordIds;
  readonly #cells: Value[];
  readonly #regions = new WeakMap<readonly string[], CurrentRegion>();

  /** The columns of the fields come first in each run. */
  constructor(path: string, fields: readonly Field[], keyFields: readonly string[], onRun?: OnRun) {
    const ofFields = fields.map(columnOf);
    this.#writer = new ColumnsWriter(path, [...ofFields, ...addedColumns], onRun);
    this.#ids = new RecordIds(
      fields.map(({ name }) => name),
      keyFields,
    );
    this.#cells = Array.from({ length: fields.length + addedColumns.length }, () => null);
  }

  /** Adds a record: its values, its JSON, the codes of its regions or null, and the mark of a total. */
  add(
    values: readonly Value[],
    json: RecordJson,
    regionCodes: readonly string[] | null,
    isTotal: boolean,
  ): void {
    const { sido, sigungu } = regionCodes === null ? noRegion : this.#regionOf(regionCodes);
    const cells = this.#cells;
    const { length } = values;
    for (let at = 0; at < length; at++) cells[at] = values[at]!;
    cells[length] = sido;
    cells[length + 1] = sigungu;
    cells[length + 2] = isTotal;
    this.#ids.compute(values, json.bytes, json.start, json.end);
    this.#writer.add(cells, this.#ids.high, this.#ids.low);
  }

  /** Writes the file. */
  finish(): { bytes: number; sha256: string } {
    return this.#writer.finish();
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
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

/** A field's column: a unit and signs are only of use to values that are not plain numbers. */
function columnOf({ name, type, unit, signs }: Field): NewColumn {
  const isNumeric = type === 'integer' || type === 'number';
  return {
    name,
    type,
    ...(isNumeric && unit !== null ? { unit } : {}),
    ...(signs === undefined ? {} : { signs }),
  };
}

/** JSON of a record among the bytes of others. */
interface RecordJson {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}
