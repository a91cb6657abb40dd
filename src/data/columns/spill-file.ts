import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFully } from '../read-fully.ts';
import type { PresentValue } from './typed-value.ts';

/** Temporary file, to which parts are appended and read again. Disposing it removes the file. */
export class SpillFile implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  #position = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx+');
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

  /** Writes values in parts that can be read one at a time. */
  appendValues(values: Iterable<PresentValue>): SpilledPart[] {
    const parts: SpilledPart[] = [];
    let part: PresentValue[] = [];
    for (const value of values) {
      part.push(value);
      if (part.length < valuesPerPart) continue;
      parts.push(this.append(Buffer.from(JSON.stringify(part))));
      part = [];
    }
    if (part.length > 0) parts.push(this.append(Buffer.from(JSON.stringify(part))));
    return parts;
  }

  read({ at, bytes }: SpilledPart): ArrayBuffer {
    const buffer = new ArrayBuffer(bytes);
    readFully(this.#descriptor, new Uint8Array(buffer), at);
    return buffer;
  }

  readValues(part: SpilledPart): PresentValue[] {
    // A part is what `appendValues` wrote.
    return JSON.parse(Buffer.from(this.read(part)).toString()) as PresentValue[];
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
  }
}

/** Position and length of a part of the file. */
export interface SpilledPart {
  readonly at: number;
  readonly bytes: number;
}

/** Values of a part. A merge has one part of every run in memory, so parts are small. */
const valuesPerPart = 512;
