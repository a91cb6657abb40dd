import { ByteSink } from '../byte-sink.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { bytesOf } from './bytes.ts';
import { writeCodes } from './codes-writer.ts';
import { sortRun, type SortedRun } from './column-run.ts';
import { DictionaryWriter } from './dictionary-writer.ts';
import { encodeFooter, type ChunkCodes, type ColumnPlace } from './format.ts';
import { mergeRuns } from './merge-runs.ts';
import type { RecordRun } from './record-runs.ts';
import { SpillFile, type SpilledPart } from './spill-file.ts';
import { typedValue, type TypedValue } from './typed-value.ts';

/** A column to write. */
export interface NewColumn extends ValueFormat {
  readonly name: string;
}

/**
 * Writes the columns of an axis, run by run. A single run is written directly. The sorted values of several runs are
 * spilled to a temporary file beside the target and merged, column by column. Memory has one run, or some bytes for
 * each distinct value of the column that is being merged.
 */
export class ColumnsWriter implements Disposable {
  readonly #path: string;
  readonly #columns: readonly NewColumn[];
  #onlyRun: RecordRun | null = null;
  /** Spilled runs of each column. Every column has the same runs of records. */
  readonly #spilled: SpilledRun[][];
  #file: SpillFile | null = null;
  readonly #spilledIds: SpilledPart[] = [];
  #rows = 0;

  /** `path` is the file to write; its folder exists. */
  constructor(path: string, columns: readonly NewColumn[]) {
    this.#path = path;
    this.#columns = columns;
    this.#spilled = columns.map(() => []);
  }

  /** Adds the next run. If it is the only run of the axis, it must stay valid until `finish`. */
  add(run: RecordRun): void {
    this.#rows += run.records;
    if (run.isOnly) {
      this.#onlyRun = run;
      return;
    }
    const file = (this.#file ??= new SpillFile(`${this.#path}.runs`));
    for (const [at, column] of this.#columns.entries()) {
      this.#spilled[at]!.push(spillRun(file, sortRun(column, run.columns[at]!)));
    }
    this.#spilledIds.push(file.append(bytesOf(run.ids)));
  }

  /** Writes the file. */
  finish(): { bytes: number; sha256: string } {
    using sink = new ByteSink(this.#path);
    const columns = this.#columns.map((column, at) => this.#writeColumn(sink, column, at));
    const ids = sink.position;
    for (const part of this.#spilledIds) sink.write(new Uint8Array(this.#file!.read(part)));
    if (this.#onlyRun !== null) sink.write(bytesOf(this.#onlyRun.ids));
    sink.write(encodeFooter({ rows: this.#rows, ids, columns }));
    return sink.close();
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]();
    this.#file = null;
  }

  #writeColumn(sink: ByteSink, column: NewColumn, at: number): ColumnPlace {
    const dictionary = new DictionaryWriter(sink, column.type);
    const values = this.#onlyRun?.columns[at];
    const chunks =
      values !== undefined
        ? chunksOfRun(sortRun(column, values), dictionary)
        : this.#file === null
          ? []
          : mergedChunks(this.#file, this.#spilled[at]!, column, dictionary);
    const place = dictionary.finish();
    // The order of codes: null, markers of missing data, readable values, unreadable ones.
    const firstUnreadable = 1 + place.missing + place.readable;
    const chunkPlaces: ChunkCodes[] = [];
    let unreadableRows = 0;
    for (const codes of chunks) {
      if (firstUnreadable < place.codes) {
        for (const code of codes) if (code >= firstUnreadable) unreadableRows++;
      }
      chunkPlaces.push(writeCodes(sink, codes));
    }
    return { ...column, ...place, unreadRows: unreadableRows, chunks: chunkPlaces };
  }
}

/** A sorted run of one column in the temporary file. */
interface SpilledRun {
  readonly valueCount: number;
  readonly values: readonly SpilledPart[];
  /** For each record the position of its value in the run, from 1; 0 for null. */
  readonly valuePositions: SpilledPart;
}

function spillRun(file: SpillFile, { values, codes }: SortedRun): SpilledRun {
  return {
    valueCount: values.count,
    values: file.appendValues(values.inOrder()),
    valuePositions: file.append(bytesOf(codes)),
  };
}

/** Adds the values of the only run to the dictionary and returns its codes by chunk. */
function chunksOfRun({ values, codes }: SortedRun, dictionary: DictionaryWriter): Uint32Array[] {
  for (let at = 0; at < values.count; at++) dictionary.add(values.at(at));
  return Array.from({ length: Math.ceil(codes.length / chunkDocumentsMax) }, (_, chunk) =>
    codes.subarray(chunk * chunkDocumentsMax, (chunk + 1) * chunkDocumentsMax),
  );
}

/** Adds the values of all runs to the dictionary and returns the codes by chunk, read one chunk at a time. */
function mergedChunks(
  file: SpillFile,
  runs: readonly SpilledRun[],
  format: ValueFormat,
  dictionary: DictionaryWriter,
): Iterable<Uint32Array> {
  const codesOfRuns = mergeRuns(
    runs.map(({ valueCount, values }) => ({
      valueCount,
      sorted: readSorted(file, values, format),
    })),
    (value) => dictionary.add(value),
  );
  return chunksOfRuns(file, runs, codesOfRuns);
}

/** The values of a run in sorted order. */
function* readSorted(
  file: SpillFile,
  parts: readonly SpilledPart[],
  format: ValueFormat,
): Generator<TypedValue> {
  for (const part of parts) {
    for (const value of file.readValues(part)) yield typedValue(format, value);
  }
}

function* chunksOfRuns(
  file: SpillFile,
  runs: readonly SpilledRun[],
  codesOfRuns: readonly Uint32Array[],
): Generator<Uint32Array> {
  const chunk = new Uint32Array(chunkDocumentsMax);
  let used = 0;
  for (const [at, run] of runs.entries()) {
    const codes = codesOfRuns[at]!;
    const positions = new Uint32Array(file.read(run.valuePositions));
    for (let record = 0; record < positions.length; record++) {
      chunk[used++] = codes[positions[record]!]!;
      if (used < chunkDocumentsMax) continue;
      yield chunk;
      used = 0;
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}
