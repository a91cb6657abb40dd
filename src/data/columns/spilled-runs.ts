import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFully } from '../read-fully.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { bytesOf } from './bytes.ts';
import type { SortedRun } from './column-run.ts';
import { typedValue, type PresentValue, type TypedValue } from './typed-value.ts';

/** Temporary file with the runs of all columns, removed when it is disposed. */
export class SpilledRuns implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  #position = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx+');
  }

  add({ values, codes }: SortedRun): SpilledRun {
    const parts: SpilledPart[] = [];
    for (let from = 0; from < values.length; from += partValues) {
      const json = values.slice(from, from + partValues).map((value) => value.json);
      parts.push(this.append(Buffer.from(`[${json.join(',')}]`)));
    }
    return {
      values: values.length,
      parts,
      records: codes.length,
      codesAt: this.append(bytesOf(codes)).at,
    };
  }

  /** The values of a run in their order. */
  *valuesOf({ parts }: SpilledRun, format: ValueFormat): Generator<TypedValue> {
    for (const part of parts) {
      // A part is what `add` wrote.
      for (const value of JSON.parse(this.read(part).toString()) as PresentValue[])
        yield typedValue(format, value);
    }
  }

  codesOf({ codesAt, records }: SpilledRun): Uint32Array {
    const codes = new Uint32Array(records);
    readFully(this.#descriptor, bytesOf(codes), codesAt);
    return codes;
  }

  /** Writes bytes to the end of the file. */
  append(bytes: Uint8Array): SpilledPart {
    const at = this.#position;
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, at + written);
    }
    this.#position += bytes.length;
    return { at, bytes: bytes.length };
  }

  read({ at, bytes }: SpilledPart): Buffer {
    return readFully(this.#descriptor, Buffer.allocUnsafe(bytes), at);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
  }
}

/** Place of a run of one column in the file. */
export interface SpilledRun {
  readonly values: number;
  readonly parts: readonly SpilledPart[];
  readonly records: number;
  readonly codesAt: number;
}

/** Bytes in the file. */
export interface SpilledPart {
  readonly at: number;
  readonly bytes: number;
}

/** Values that are read at once: all runs of a column are merged together, each with one part in memory. */
const partValues = 512;
