import type { Value } from '../axis.ts';
import { ByteSink } from '../byte-sink.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { bytesOf } from './bytes.ts';
import { writeCodes } from './codes-writer.ts';
import { ColumnRun, type SortedRun } from './column-run.ts';
import { DictionaryWriter } from './dictionary-writer.ts';
import { footerOf, type ChunkCodes, type ColumnPlace } from './format.ts';
import { mergeRuns } from './merge-runs.ts';
import { SpilledRuns, type SpilledPart, type SpilledRun } from './spilled-runs.ts';

/** A column to write. */
export interface NewColumn extends ValueFormat {
  readonly name: string;
}

/** Receives each run, one entry a column, before its values are sorted and dropped. */
export type OnRun = (runs: readonly ColumnRun[]) => void;

/**
 * Writes the columns of an axis, record by record.
 *
 * Records are collected in runs of at most one chunk and about 48 MB. A single run is written as it is; several are
 * spilled to a temporary file beside the target and merged, one column after the other. Memory grows only by four
 * bytes for each distinct value of one column.
 */
export class ColumnsWriter implements Disposable {
  readonly #path: string;
  readonly #columns: readonly NewColumn[];
  readonly #runs: readonly ColumnRun[];
  readonly #onRun: OnRun;
  /** Spilled runs by column; those of all columns end at the same records. */
  readonly #spilled: SpilledRun[][];
  #spill: SpilledRuns | null = null;
  /** Two numbers a record. */
  #idsOfRun = new Uint32Array(128);
  readonly #spilledIds: SpilledPart[] = [];
  #runRecords = 0;
  #chunkRecords = 0;
  #rows = 0;

  /** `path` is the file to write; its folder exists. */
  constructor(path: string, columns: readonly NewColumn[], onRun: OnRun = () => undefined) {
    this.#path = path;
    this.#onRun = onRun;
    this.#columns = columns;
    this.#runs = columns.map((column) => new ColumnRun(column));
    this.#spilled = columns.map(() => []);
  }

  /** Adds a record: a value for each column, and the halves of its id. */
  add(values: readonly Value[], idHigh: number, idLow: number): void {
    if (this.#chunkRecords === chunkDocumentsMax || this.#isRunFull()) this.#endRun();
    for (let at = 0; at < this.#runs.length; at++) this.#runs[at]!.add(values[at]!);
    this.#addId(idHigh, idLow);
    this.#runRecords++;
    this.#chunkRecords++;
    this.#rows++;
  }

  /** Writes the file. */
  finish(): { bytes: number; sha256: string } {
    if (this.#spill !== null) this.#endRun();
    else if (this.#rows > 0) this.#onRun(this.#runs);
    using sink = new ByteSink(this.#path);
    const columns = this.#columns.map((column, at) => this.#writeColumn(sink, column, at));
    const ids = sink.position;
    for (const part of this.#spilledIds) sink.write(this.#spill!.read(part));
    sink.write(this.#ids());
    sink.write(footerOf({ rows: this.#rows, ids, columns }));
    return sink.close();
  }

  [Symbol.dispose](): void {
    this.#spill?.[Symbol.dispose]();
    this.#spill = null;
  }

  #addId(high: number, low: number): void {
    if (this.#runRecords * 2 === this.#idsOfRun.length) {
      const wider = new Uint32Array(this.#idsOfRun.length * 2);
      wider.set(this.#idsOfRun);
      this.#idsOfRun = wider;
    }
    this.#idsOfRun[this.#runRecords * 2] = high;
    this.#idsOfRun[this.#runRecords * 2 + 1] = low;
  }

  #ids(): Uint8Array {
    return bytesOf(this.#idsOfRun.subarray(0, this.#runRecords * 2));
  }

  #isRunFull(): boolean {
    if ((this.#runRecords & 0x3ff) !== 0) return false;
    return this.#runs.reduce((sum, run) => sum + run.bytes, 0) > runBytesMax;
  }

  #endRun(): void {
    this.#onRun(this.#runs);
    this.#spill ??= new SpilledRuns(`${this.#path}.runs`);
    for (const [at, run] of this.#runs.entries()) {
      this.#spilled[at]!.push(this.#spill.add(run.take()));
    }
    this.#spilledIds.push(this.#spill.append(this.#ids()));
    this.#runRecords = 0;
    if (this.#chunkRecords === chunkDocumentsMax) this.#chunkRecords = 0;
  }

  #writeColumn(sink: ByteSink, column: NewColumn, at: number): ColumnPlace {
    const dictionary = new DictionaryWriter(sink, column.type);
    const chunks =
      this.#spill === null
        ? chunksOfRun(this.#runs[at]!.take(), dictionary)
        : mergedChunks(this.#spill, this.#spilled[at]!, column, dictionary);
    const place = dictionary.finish();
    const firstUnread = 1 + place.missing + place.readable;
    const written: ChunkCodes[] = [];
    let unreadRows = 0;
    for (const codes of chunks) {
      for (const code of codes) if (code >= firstUnread) unreadRows++;
      written.push(writeCodes(sink, codes));
    }
    return { ...column, ...place, unreadRows, chunks: written };
  }
}

/** Enters the values of the only run into the dictionary; its positions are the codes. */
function chunksOfRun({ values, codes }: SortedRun, dictionary: DictionaryWriter): Uint32Array[] {
  for (const value of values) dictionary.add(value);
  return codes.length === 0 ? [] : [codes];
}

/** Enters the values of all runs into the dictionary; returns the codes of each chunk, read one after the other. */
function mergedChunks(
  spill: SpilledRuns,
  runs: readonly SpilledRun[],
  format: ValueFormat,
  dictionary: DictionaryWriter,
): Iterable<Uint32Array> {
  const codesOfRuns = mergeRuns(
    runs.map((run) => ({ values: run.values, sorted: spill.valuesOf(run, format) })),
    (value) => dictionary.add(value),
  );
  return chunksOfRuns(spill, runs, codesOfRuns);
}

function* chunksOfRuns(
  spill: SpilledRuns,
  runs: readonly SpilledRun[],
  codesOfRuns: readonly Uint32Array[],
): Generator<Uint32Array> {
  const chunk = new Uint32Array(chunkDocumentsMax);
  let used = 0;
  for (const [at, run] of runs.entries()) {
    const codes = codesOfRuns[at]!;
    const positions = spill.codesOf(run);
    for (let record = 0; record < positions.length; record++) {
      chunk[used++] = codes[positions[record]!]!;
    }
    if (used < chunkDocumentsMax) continue;
    yield chunk;
    used = 0;
  }
  if (used > 0) yield chunk.subarray(0, used);
}

/** Estimated bytes of all columns of a run. */
const runBytesMax = 48 << 20;
