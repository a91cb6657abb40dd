import type { RegionCount, StoredAxis } from '../axis.ts';
import type { FileRange } from '../file-range.ts';
import { repairAdvice } from '../read-fully.ts';
import type { FileFacts } from './layout.ts';
import { decodeRegions } from './packed-regions.ts';

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
  readonly axes: readonly PackedAxis[];
}

export interface PackedAxis {
  readonly code: string;
  /** Number of the first record in the index. */
  readonly from: number;
  /** Files of the folder that the axis would have; the search index has no place of its own. */
  readonly files: Readonly<Record<string, FileFacts & { readonly at?: number }>>;
  readonly summary: AxisSummary;
  /** Numbers of records by region (packed-regions.ts). */
  readonly regions: Place;
}

/** Parts of the description of an axis that are read when its snapshot is opened. */
export interface AxisSummary extends Pick<
  StoredAxis,
  'axis' | 'rows' | 'schemaFingerprint' | 'hasCoordinates'
> {
  /** Labels of the fields. */
  readonly labels: readonly string[];
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
  readonly #byCode: ReadonlyMap<string, PackedAxis>;
  readonly #owned = new DisposableStack();

  /** Throws if the file is cut off or of another version. */
  constructor(file: FileRange) {
    this.#file = file;
    const { index, axes } = readFooter(file);
    this.axes = axes;
    this.#index = index;
    this.#byCode = new Map(axes.map((axis) => [axis.code, axis]));
  }

  /** Throws for an axis that the pack lacks. */
  axis(code: string): PackedAxis {
    const axis = this.#byCode.get(code);
    if (axis === undefined) throw new Error(`A pack lacks the axis ${code}. ${repairAdvice}`);
    return axis;
  }

  /** A file of an axis; null if the pack has none of this name. */
  file(code: string, name: string): FileRange | null {
    const { at, bytes } = this.axis(code).files[name] ?? {};
    return at === undefined ? null : this.#file.part(at, bytes!);
  }

  /** Numbers of records of an axis by region. */
  regions(code: string): RegionCount[] {
    const { at, bytes } = this.axis(code).regions;
    return decodeRegions(this.#file.read(Buffer.allocUnsafe(bytes), at));
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

function readFooter(file: FileRange): PackFooter {
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
