import type { Value } from '../axis.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { bytesOf } from './bytes.ts';
import { ColumnRun, type ColumnValues } from './column-run.ts';
import { SpillFile, type SpilledPart } from './spill-file.ts';

/** Consecutive records, with their values by column. */
export interface RecordRun {
  /** Row of the first record. */
  readonly from: number;
  readonly records: number;
  /** True if there is no other run. */
  readonly isOnly: boolean;
  readonly columns: readonly ColumnValues[];
  /** Both halves of the id of each record, the high one first. */
  readonly ids: Uint32Array;
}

/**
 * Collects records in runs of at most four chunks of the search index (`chunkDocumentsMax` records each) and about 48
 * MB. A single run stays in memory. Several are spilled to a temporary file, so that memory does not grow with the
 * number of records.
 */
export class RecordRuns implements Disposable {
  readonly #path: string;
  readonly #columns: readonly ColumnRun[];
  /** High and low half of the id of each record. */
  #ids = new Uint32Array(128);
  #records = 0;
  #file: SpillFile | null = null;
  readonly #spilled: SpilledRecords[] = [];

  /** `path` is the temporary file; its folder exists. */
  constructor(path: string, columns: number) {
    this.#path = path;
    this.#columns = Array.from({ length: columns }, () => new ColumnRun());
  }

  /** Adds a record: a value for each column, and the halves of its id. */
  add(values: readonly Value[], idHigh: number, idLow: number): void {
    if (this.#records === runRecordsMax || this.#isFull()) this.spill();
    const columns = this.#columns;
    for (let at = 0; at < columns.length; at++) columns[at]!.add(values[at] ?? null);
    this.#addId(idHigh, idLow);
    this.#records++;
  }

  /** Ends the run and moves it to the temporary file. Called before a pause in adding records, it frees their memory. */
  spill(): void {
    if (this.#records === 0) return;
    const file = (this.#file ??= new SpillFile(this.#path));
    this.#spilled.push({
      records: this.#records,
      columns: this.#columns.map((column) => spillColumn(file, column)),
      ids: file.append(bytesOf(this.#idsOfRun())),
    });
    for (const column of this.#columns) column.clear();
    this.#records = 0;
  }

  /** Yields the runs in order, each valid until the next. No record may be added afterwards. */
  *take(): Generator<RecordRun> {
    if (this.#file === null) {
      if (this.#records > 0) yield this.#onlyRun();
      return;
    }
    this.spill();
    let from = 0;
    for (const run of this.#spilled) {
      yield { from, isOnly: false, ...readRun(this.#file, run) };
      from += run.records;
    }
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]();
    this.#file = null;
  }

  #onlyRun(): RecordRun {
    const records = this.#records;
    const columns = this.#columns.map(({ values, valueNumbers }) => ({ values, valueNumbers }));
    return { from: 0, isOnly: true, records, columns, ids: this.#idsOfRun() };
  }

  #isFull(): boolean {
    if ((this.#records & 0x3ff) !== 0) return false;
    return this.#columns.reduce((sum, column) => sum + column.bytes, 0) > runBytesMax;
  }

  #addId(high: number, low: number): void {
    if (this.#records * 2 === this.#ids.length) {
      const wider = new Uint32Array(this.#ids.length * 2);
      wider.set(this.#ids);
      this.#ids = wider;
    }
    this.#ids[this.#records * 2] = high;
    this.#ids[this.#records * 2 + 1] = low;
  }

  #idsOfRun(): Uint32Array {
    return this.#ids.subarray(0, this.#records * 2);
  }
}

interface SpilledRecords {
  readonly records: number;
  readonly columns: readonly SpilledColumn[];
  readonly ids: SpilledPart;
}

interface SpilledColumn {
  readonly values: readonly SpilledPart[];
  readonly valueNumbers: SpilledPart;
}

function spillColumn(file: SpillFile, { values, valueNumbers }: ColumnValues): SpilledColumn {
  // Most columns have fewer than 65,536 distinct values.
  const narrow = values.length < 0x1_0000 ? Uint16Array.from(valueNumbers) : valueNumbers;
  return { values: file.appendValues(values), valueNumbers: file.append(bytesOf(narrow)) };
}

function readRun(
  file: SpillFile,
  { records, columns, ids }: SpilledRecords,
): Pick<RecordRun, 'records' | 'columns' | 'ids'> {
  return {
    records,
    columns: columns.map(({ values, valueNumbers }) => ({
      values: values.flatMap((part) => file.readValues(part)),
      valueNumbers:
        valueNumbers.bytes === records * 4
          ? new Uint32Array(file.read(valueNumbers))
          : Uint32Array.from(new Uint16Array(file.read(valueNumbers))),
    })),
    ids: new Uint32Array(file.read(ids)),
  };
}

/** Limit on records of a run. Long runs save work: a recurring value is read, normalised and sorted once in a run. */
const runRecordsMax = 4 * chunkDocumentsMax;
/** Limit on the estimated bytes of all columns of a run. */
const runBytesMax = 48 << 20;
