import type { RegionCount } from '../axis.ts';
import type { FileRange } from '../file-range.ts';
import { repairAdvice } from '../read-fully.ts';
import type { AxisSummary } from './packed-description.ts';
import { PackedFiles, type PackedFacts } from './packed-files.ts';
import { decodeRegions } from './packed-regions.ts';
import type { EqualTexts } from './equal-texts.ts';

/**
 * A pack: the files of many small axes in one file, and one search index of all their records.
 *
 * ```
 * axis…    the files of each axis, as in a folder of its own, without search index and Parquet; its records by region
 * index    the search index of all records, axis after axis: one chunk
 * footer   JSON of PackFooter, then its length as u32, little-endian, then `MPK1`
 * ```
 */
interface PackFooter {
  readonly index: Place;
  /** In the order of their records in the index. */
  readonly axes: readonly WrittenPackedAxis[];
}

/** An axis in a pack. */
interface PackedAxis {
  readonly code: string;
  /** Number of the first record in the index. */
  readonly from: number;
  readonly summary: AxisSummary;
}

/** An axis as the footer has it. */
export interface WrittenPackedAxis extends PackedAxis {
  /** Files of the folder that the axis would have; the search index has no place of its own. */
  readonly files: Readonly<Record<string, PackedFacts>>;
  /** Numbers of records by region (packed-regions.ts). */
  readonly regions: Place;
}

interface Place {
  readonly at: number;
  readonly bytes: number;
}

const magic = 'MPK1';

export function encodeFooter(footer: PackFooter): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(json.length, 0);
  tail.write(magic, 4, 'latin1');
  return Buffer.concat([json, tail]);
}

/** An opened pack. */
export class PackFile implements Disposable {
  /** In the order of their records in the index. */
  readonly axes: readonly PackedAxis[];
  readonly #file: FileRange;
  readonly #index: Place;
  /** Position of each axis by its code. */
  readonly #positions: ReadonlyMap<string, number>;
  readonly #files: PackedFiles;
  /** Place and size of the numbers of records by region of each axis. */
  readonly #regions: Float64Array;
  readonly #owned = new DisposableStack();

  /** Throws if the file is cut off or of another version. */
  constructor(file: FileRange, texts: EqualTexts) {
    this.#file = file;
    const { index, axes } = readPackFooter(file);
    this.axes = axes.map(({ code, from, summary }) => ({
      code,
      from,
      summary: texts.share(summary),
    }));
    this.#index = index;
    this.#positions = new Map(axes.map(({ code }, position) => [code, position]));
    this.#files = new PackedFiles(axes.map(({ files }) => files));
    this.#regions = Float64Array.from(axes.flatMap(({ regions: { at, bytes } }) => [at, bytes]));
  }

  /** Throws for an axis that the pack lacks. */
  axis(code: string): PackedAxis {
    return this.axes[this.#position(code)]!;
  }

  /** Size and hash of a file of an axis; undefined if the pack has none of this name. */
  facts(code: string, name: string): PackedFacts | undefined {
    return this.#files.facts(this.#position(code), name);
  }

  /** A file of an axis; null if the pack has none of this name. */
  file(code: string, name: string): FileRange | null {
    const { at, bytes } = this.facts(code, name) ?? {};
    return at === undefined ? null : this.#file.part(at, bytes!);
  }

  /** Numbers of records of an axis by region. */
  regions(code: string): RegionCount[] {
    const position = this.#position(code);
    const [at, bytes] = this.#regions.subarray(position * 2, position * 2 + 2);
    return decodeRegions(this.#file.read(Buffer.allocUnsafe(bytes!), at!));
  }

  #position(code: string): number {
    const position = this.#positions.get(code);
    if (position === undefined) throw new Error(`A pack lacks the axis ${code}. ${repairAdvice}`);
    return position;
  }

  /** Bytes of the search index of all records. */
  get index(): FileRange {
    return this.#file.part(this.#index.at, this.#index.bytes);
  }

  /** Disposes of a resource with the pack. */
  own<Resource extends Disposable>(resource: Resource): Resource {
    return this.#owned.use(resource);
  }

  [Symbol.dispose](): void {
    this.#owned.dispose();
    this.#file[Symbol.dispose]();
  }
}

/** Throws if the file is cut off or of another version. */
export function readPackFooter(file: FileRange): PackFooter {
  const { size } = file;
  if (size < 8) throw unreadablePack();
  const tail = file.read(Buffer.alloc(8), size - 8);
  const length = tail.readUInt32LE(0);
  if (tail.toString('latin1', 4) !== magic || length > size - 8) throw unreadablePack();
  const json = file.read(Buffer.alloc(length), size - 8 - length);
  return JSON.parse(json.toString()) as PackFooter;
}

function unreadablePack(): Error {
  return new Error(`A pack of axes is cut off or of another version. ${repairAdvice}`);
}
