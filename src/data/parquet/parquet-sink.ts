import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Value } from '../axis.ts';
import { ColumnRun, type ColumnValues } from '../columns/column-run.ts';
import { writeColumnChunk } from './column-chunk.ts';
import { ParquetColumn, type ParquetField } from './parquet-column.ts';

/** Receives the bytes of each complete group of records. */
type Write = (bytes: Uint8Array) => void;

/**
 * Writes records as Parquet, in groups of rows. Every field is a column of its type. Texts that the type does not
 * preserve have a second column, which is left out of the file's footer if it is empty.
 */
export class ParquetSink {
  readonly #columns: readonly ParquetColumn[];
  readonly #bytes = new ByteWriter();
  readonly #write: Write;
  /** Writes the header and the footer of the file. */
  readonly #writer: ParquetWriter;
  readonly #groupRowsMax: number;
  /** The pending group. */
  readonly #runs: readonly ColumnRun[];
  #groupRows = 0;
  #groupBytes = 0;

  constructor(
    fields: readonly ParquetField[],
    write: Write,
    groupRowsMax: number = storedGroupRows,
  ) {
    this.#groupRowsMax = groupRowsMax;
    const names = new Set(fields.map((field) => field.name));
    this.#columns = fields.map((field) => new ParquetColumn(field, freeName(field.name, names)));
    this.#runs = fields.map(() => new ColumnRun());
    const elements = this.#columns.flatMap((column) => column.elements);
    this.#write = write;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'record', num_children: elements.length }, ...elements],
      kvMetadata: [{ key: 'maru.fields', value: JSON.stringify(fields.map(describe)) }],
      createdBy: 'maru',
    });
  }

  /** Adds a record: a value for each field. `bytes` is its size, which bounds the memory of a group. */
  add(values: readonly Value[], bytes: number): void {
    for (let at = 0; at < this.#runs.length; at++) this.#runs[at]!.add(values[at] ?? null);
    this.#groupRows++;
    this.#groupBytes += bytes;
    if (this.#groupRows === this.#groupRowsMax || this.#groupBytes > groupBytesMax)
      this.#endGroup();
  }

  /** Writes a group of rows: the values of each field. */
  addGroup(columnValues: readonly ColumnValues[], rows: number): void {
    const start = this.#bytes.offset;
    const columns = this.#columns.flatMap((column, at) =>
      column.columnGroups(columnValues[at]!).map((group) => writeColumnChunk(this.#bytes, group)),
    );
    this.#writer.num_rows += BigInt(rows);
    this.#writer.row_groups.push({
      columns,
      // The sum without empty columns is known when the file ends.
      total_byte_size: 0n,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#flush();
  }

  /** Writes the last group and the footer. */
  finish(): void {
    if (this.#groupRows > 0) this.#endGroup();
    this.#dropEmptyColumns();
    void this.#writer.finish();
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }

  #endGroup(): void {
    this.addGroup(this.#runs, this.#groupRows);
    for (const run of this.#runs) run.clear();
    this.#groupRows = 0;
    this.#groupBytes = 0;
  }

  /** Removes empty columns of texts from the footer. Only after the last record is it known that they are empty. */
  #dropEmptyColumns(): void {
    const isUsed = this.#columns.flatMap(({ elements, hasTexts }) =>
      elements.map((_, at) => at === 0 || hasTexts),
    );
    const [root, ...elements] = this.#writer.schema;
    const usedElements = elements.filter((_, at) => isUsed[at]);
    this.#writer.schema = [{ ...root!, num_children: usedElements.length }, ...usedElements];
    for (const group of this.#writer.row_groups) {
      group.columns = group.columns.filter((_, at) => isUsed[at]);
      const sizes = group.columns.map((column) => column.meta_data?.total_uncompressed_size ?? 0n);
      group.total_byte_size = sizes.reduce((sum, size) => sum + size, 0n);
    }
  }
}

function describe({ name, label, type, unit }: ParquetField): object {
  return { name, label, type, ...(unit === null || unit === undefined ? {} : { unit }) };
}

/** Name of the column with the texts of a field. It differs from the names of all fields. */
function freeName(name: string, names: ReadonlySet<string>): string {
  let free = `${name}_text`;
  while (names.has(free)) free += '_';
  return free;
}

/** Records of a group in a stored file. */
const storedGroupRows = 65_536;
/** Limit on the JSON of the records of a group. */
const groupBytesMax = 32 << 20;
