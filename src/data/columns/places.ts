import { membersOf, setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { codeRange, type CodeSet } from './code-set.ts';
import type { ColumnScan } from './column-scan.ts';
import { distanceBetween, type Box, type Position } from './distance.ts';
import { runWithoutInlining } from './run-without-inlining.ts';
import { testOfAll, testOfCodes, type ChunkTest } from './where.ts';

/** The coordinates of the records of an axis. */
export class Places {
  readonly #lat: Coordinates;
  readonly #lon: Coordinates;

  constructor(lat: ColumnScan, lon: ColumnScan) {
    this.#lat = new Coordinates(lat);
    this.#lon = new Coordinates(lon);
  }

  /** Selects the records in a box, its edges included. */
  within({ minLat, maxLat, minLon, maxLon }: Box): ChunkTest {
    return testOfAll([
      testOfCodes(this.#lat.scan, this.#lat.codesBetween(minLat, maxLat)),
      testOfCodes(this.#lon.scan, this.#lon.codesBetween(minLon, maxLon)),
    ]);
  }

  /** Selects the records that have a position. */
  withPosition(): ChunkTest {
    return this.within(everywhere);
  }

  /** Selects the `records` of a chunk within `radius` metres of a position. Each record must have a position. */
  *near(
    { radius, ...center }: Position & { readonly radius: number },
    chunk: number,
    records: DocumentSet,
  ): Generator<void, DocumentSet> {
    const bitmap = new Uint32Array(chunkDocumentsMax / 32);
    const members = membersOf(records);
    for (let at = 0; at < members.length; at++) {
      const record = members[at]!;
      if (this.distance(center, chunk, record) <= radius)
        bitmap[record >>> 5]! |= 1 << (record & 31);
      if ((at + 1) % distancesPerStep === 0) yield;
    }
    return setOfBitmap(bitmap);
  }

  /** Degrees of the records `members` of a chunk, NaN for one without a position; valid until the next call. */
  positionsOf(
    chunk: number,
    members: Uint16Array,
  ): { readonly lats: Float64Array; readonly lons: Float64Array } {
    return { lats: this.#lat.degreesOf(chunk, members), lons: this.#lon.degreesOf(chunk, members) };
  }

  /** Metres from a position to a record that has one, to a decimetre. */
  distance(center: Position, chunk: number, record: number): number {
    const [lat, lon] = [this.#lat.degreesAt(chunk, record), this.#lon.degreesAt(chunk, record)];
    return roundedDistance(center, lat, lon);
  }

  /** Like `distance`, for a single row: reads no others of its chunk. */
  distanceOfRow(center: Position, row: number): number {
    return roundedDistance(center, this.#lat.degreesOfRow(row), this.#lon.degreesOfRow(row));
  }
}

/** Distances computed between two yields: about a millisecond of work. */
export const distancesPerStep = 8192;

/** Metres, rounded to a decimetre. */
function roundedDistance(center: Position, lat: number, lon: number): number {
  return Math.round(distanceBetween(center, { lat, lon }) * 10) / 10;
}

const everywhere: Box = { minLat: -90, maxLat: 90, minLon: -180, maxLon: 180 };

class Coordinates {
  readonly scan: ColumnScan;
  readonly #degrees: Float64Array;
  #memberDegrees: Float64Array | null = null;

  constructor(scan: ColumnScan) {
    this.scan = scan;
    const { column } = scan;
    // A column of texts, such as degrees with minutes, has no positions.
    this.#degrees = column.type === 'string' ? new Float64Array(0) : column.numbers();
  }

  degreesAt(chunk: number, record: number): number {
    const { column } = this.scan;
    const code = this.scan.codes(chunk)[record]! + column.chunk(chunk).min;
    return this.#degrees[code - column.firstReadable]!;
  }

  degreesOf(chunk: number, members: Uint16Array): Float64Array {
    const { column } = this.scan;
    this.#memberDegrees ??= new Float64Array(column.chunkRecordsMax);
    const first = column.chunk(chunk).min - column.firstReadable;
    const codes = this.scan.codesOf(chunk, members);
    runWithoutInlining(
      readDegrees,
      this.#degrees,
      codes,
      first,
      this.#memberDegrees,
      members.length,
    );
    return this.#memberDegrees;
  }

  degreesOfRow(row: number): number {
    const { column } = this.scan;
    return this.#degrees[column.codeOf(row) - column.firstReadable]!;
  }

  codesBetween(from: number, to: number): CodeSet {
    const { firstReadable } = this.scan.column;
    const first = firstIndex(this.#degrees, (degrees) => degrees >= from);
    return codeRange(
      firstReadable + first,
      firstReadable + firstIndex(this.#degrees, (degrees) => degrees > to),
    );
  }
}

function readDegrees(
  degrees: Float64Array,
  codes: Uint32Array,
  first: number,
  memberDegrees: Float64Array,
  length: number,
): void {
  for (let at = 0; at < length; at++) {
    const index = codes[at]! + first;
    memberDegrees[at] = index >= 0 && index < degrees.length ? degrees[index]! : NaN;
  }
}

/** First index from which on a test holds. */
function firstIndex(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(sorted[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
