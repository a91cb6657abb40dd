import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { syncFolder } from '../../data/snapshot/durable.ts';
import { portalLimits } from '../client/limits.ts';
import { runLimits } from './limits.ts';

/** Where an answer lies: nothing else is needed to read it again. */
export interface RawPlace {
  readonly segment: number;
  readonly offset: number;
  readonly bytes: number;
}

export interface KeptAnswer {
  /** The question and which look at it: `requestKey#look`. */
  readonly key: string;
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * The raw answers of one run in files that only grow: `0001.raw`, `0002.raw`, … An answer is a frame of
 * its own: magic, length and CRC-32 of the rest, then a JSON header and the body in zstd. What a crash
 * tore off at the end is recognised and cut away.
 */
export class RawStore implements Disposable {
  readonly #folder: string;
  readonly #readers = new Map<number, number>();
  #writer: Writer | null = null;
  #unsynced = false;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Writes an answer; it is durable after `sync`. */
  append({ key, status, body }: KeptAnswer): RawPlace {
    const header = Buffer.from(JSON.stringify({ key, status }));
    if (header.length > runLimits.headerBytesMax) {
      throw new Error(`A request of ${header.length} bytes is longer than any the portal takes.`);
    }
    const packed = zstdCompressSync(body);
    const frame = Buffer.allocUnsafe(prefixBytes + 4 + header.length + packed.length);
    frame.writeUInt32LE(header.length, prefixBytes);
    header.copy(frame, prefixBytes + 4);
    packed.copy(frame, prefixBytes + 4 + header.length);
    frame.writeUInt32LE(magic, 0);
    frame.writeUInt32LE(frame.length, 4);
    frame.writeUInt32LE(crc32(frame.subarray(prefixBytes)), 8);
    const writer = this.#writerFor(frame.length);
    const place = { segment: writer.segment, offset: writer.size, bytes: frame.length };
    for (let done = 0; done < frame.length;) {
      done += writeSync(writer.descriptor, frame, done, frame.length - done, writer.size + done);
    }
    writer.size += frame.length;
    this.#unsynced = true;
    return place;
  }

  /** Makes everything appended so far durable. */
  sync(): void {
    if (!this.#unsynced || this.#writer === null) return;
    fsyncSync(this.#writer.descriptor);
    this.#unsynced = false;
  }

  /** Throws where the place holds no whole answer. */
  read(place: RawPlace): KeptAnswer {
    const frame = Buffer.allocUnsafe(place.bytes);
    const read = readSync(this.#reader(place.segment), frame, 0, frame.length, place.offset);
    const kept = read === frame.length ? openFrame(frame) : null;
    if (kept === null) {
      throw new Error(
        `The raw answers in ${this.#folder} are damaged: ask again without --reparse.`,
      );
    }
    return kept;
  }

  /**
   * Every whole answer after `ends`, by segment; a torn end is cut away. For the start of a run that was
   * interrupted: what was written but not noted counts as stored.
   */
  *recover(ends: ReadonlyMap<number, number>): Generator<RawPlace & { readonly key: string }> {
    for (const segment of this.#segments()) {
      let offset = ends.get(segment) ?? 0;
      for (;;) {
        const frame = this.#frameAt(segment, offset);
        const kept = frame === null ? null : openFrame(frame, false);
        if (frame === null || kept === null) break;
        yield { segment, offset, bytes: frame.length, key: kept.key };
        offset += frame.length;
      }
      this.#cut(segment, offset);
    }
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#readers.values()) closeSync(descriptor);
    this.#readers.clear();
    this.#closeWriter();
  }

  #writerFor(bytes: number): Writer {
    const current = this.#writer;
    if (current !== null && current.size + bytes <= runLimits.segmentBytesMax) return current;
    this.#closeWriter();
    const last = this.#segments().at(-1) ?? 0;
    const lastSize = last === 0 ? 0 : fstatSync(this.#reader(last)).size;
    const fits = last > 0 && current === null && lastSize + bytes <= runLimits.segmentBytesMax;
    const segment = fits ? last : last + 1;
    const descriptor = openSync(this.#path(segment), fits ? 'r+' : 'wx');
    if (!fits) syncFolder(this.#folder);
    this.#writer = { segment, descriptor, size: fits ? lastSize : 0 };
    return this.#writer;
  }

  #closeWriter(): void {
    if (this.#writer === null) return;
    this.sync();
    closeSync(this.#writer.descriptor);
    this.#writer = null;
  }

  #segments(): number[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => /^\d{4}\.raw$/.test(name))
      .map((name) => Number(name.slice(0, 4)))
      .sort((a, b) => a - b);
  }

  #path(segment: number): string {
    return join(this.#folder, `${String(segment).padStart(4, '0')}.raw`);
  }

  #reader(segment: number): number {
    let descriptor = this.#readers.get(segment);
    if (descriptor === undefined) {
      descriptor = openSync(this.#path(segment), 'r');
      this.#readers.set(segment, descriptor);
    }
    return descriptor;
  }

  #frameAt(segment: number, offset: number): Buffer | null {
    const descriptor = this.#reader(segment);
    const prefix = Buffer.allocUnsafe(prefixBytes);
    if (readSync(descriptor, prefix, 0, prefixBytes, offset) < prefixBytes) return null;
    const bytes = prefix.readUInt32LE(4);
    if (prefix.readUInt32LE(0) !== magic || bytes > frameBytesMax) return null;
    if (bytes < prefixBytes + 4) return null;
    const frame = Buffer.allocUnsafe(bytes);
    return readSync(descriptor, frame, 0, bytes, offset) === bytes ? frame : null;
  }

  #cut(segment: number, size: number): void {
    if (fstatSync(this.#reader(segment)).size === size) return;
    const descriptor = openSync(this.#path(segment), 'r+');
    try {
      ftruncateSync(descriptor, size);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

interface Writer {
  readonly segment: number;
  readonly descriptor: number;
  size: number;
}

/** `MRAW`, as it reads in a hex dump. */
const magic = 0x57_41_52_4d;
/** Magic, length, CRC-32. */
const prefixBytes = 12;
const frameBytesMax = portalLimits.bodyBytesMax + runLimits.headerBytesMax + 65_536;

/** Null for a frame that is torn or damaged. */
function openFrame(frame: Buffer, withBody = true): KeptAnswer | null {
  if (frame.readUInt32LE(0) !== magic || frame.readUInt32LE(4) !== frame.length) return null;
  if (crc32(frame.subarray(prefixBytes)) !== frame.readUInt32LE(8)) return null;
  const bodyAt = prefixBytes + 4 + frame.readUInt32LE(prefixBytes);
  // The CRC says that these are the bytes `append` wrote.
  const header = JSON.parse(frame.toString('utf8', prefixBytes + 4, bodyAt)) as {
    key: string;
    status: number;
  };
  const body = withBody
    ? zstdDecompressSync(frame.subarray(bodyAt), { maxOutputLength: portalLimits.bodyBytesMax })
    : new Uint8Array();
  return { ...header, body };
}
