import { chunkDocumentsMax } from '../search/postings.ts';

/** An axis that a build may pack. */
export interface LooseAxis {
  readonly code: string;
  readonly rows: number;
  readonly bytes: number;
  /** True if the axis is in a pack that the snapshot will lack. */
  readonly isHomeless: boolean;
}

/**
 * Chooses the axes of new packs, so that fewer than `looseMax` small axes and no homeless one have files of their own. A
 * pack has homeless axes first and small ones before larger ones: so a build that refreshes an axis writes about one pack.
 */
export function choosePacks(
  axes: readonly LooseAxis[],
  looseMax = defaultLooseMax,
): (readonly string[])[] {
  const waiting = axes
    .filter((axis) => axis.isHomeless || isSmall(axis))
    .sort(
      (a, b) =>
        Number(b.isHomeless) - Number(a.isHomeless) ||
        a.rows - b.rows ||
        (a.code < b.code ? -1 : 1),
    );
  const packs: (readonly string[])[] = [];
  for (let at = 0; at < waiting.length;) {
    if (!waiting[at]!.isHomeless && waiting.length - at < looseMax) break;
    const pack = waiting.slice(at, endOfPack(waiting, at));
    packs.push(pack.map(({ code }) => code).sort());
    at += pack.length;
  }
  return packs;
}

/** Axes of a pack that are no longer served make it worth writing again when they have half of its records. */
export function isHalfEmpty(rows: number, servedRows: number): boolean {
  return servedRows * 2 <= rows;
}

function isSmall({ rows, bytes }: LooseAxis): boolean {
  return rows > 0 && rows <= smallRowsMax && bytes <= smallBytesMax;
}

function endOfPack(axes: readonly LooseAxis[], from: number): number {
  let [rows, bytes] = [0, 0];
  let end = from;
  for (; end < axes.length; end++) {
    rows += axes[end]!.rows;
    bytes += axes[end]!.bytes;
    if (end > from && (rows > chunkDocumentsMax || bytes > packBytesMax)) break;
  }
  return end;
}

/** Small axes with files of their own that are not worth a pack. */
const defaultLooseMax = 128;
/** A quarter of the records that a pack can have. */
const smallRowsMax = chunkDocumentsMax / 4;
const smallBytesMax = 1 << 24;
const packBytesMax = 1 << 26;
