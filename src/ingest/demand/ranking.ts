import type { Origin } from '../../data/axis.ts';
import type { DemandMethod, ErrorClass, UnlinkedDemand, UnlinkedItem } from '../../data/demand.ts';
import type { Finding } from '../../data/finding.ts';

/**
 * A keyword with its index, or null if it lies below the resolution of the measurement, and the share by which
 * the index may be off, where that is known.
 */
export type Scored = readonly [keyword: string, index: number | null, error?: number];

/**
 * Puts keywords in rank order: by index, ties by name, what is below the resolution last.
 * The rank is dense: equal indices share one, the next is one more, and all below the resolution share the
 * last, since nothing is known of their order.
 */
export function ranked(
  anchor: string,
  method: DemandMethod,
  scores: readonly Scored[],
  origin: Origin = 'file',
): UnlinkedDemand {
  const ordered = scores.toSorted(
    ([left, leftIndex], [right, rightIndex]) =>
      (rightIndex ?? -1) - (leftIndex ?? -1) || (left < right ? -1 : left > right ? 1 : 0),
  );
  let rank = 0;
  let last: number | null | undefined;
  const items = ordered.map(([keyword, index, error]): UnlinkedItem => {
    if (index !== last) rank++;
    last = index;
    const errorClass = index === null || error === undefined ? null : errorClassOf(error);
    return { rank, keyword, index, belowResolution: index === null, errorClass };
  });
  return { origin, anchor, method, items };
}

/** The largest error of each class, as a share of the index. */
export const errorMost = { fine: 0.05, fair: 0.15 } as const;

function errorClassOf(error: number): ErrorClass {
  if (error <= errorMost.fine) return 'fine';
  return error <= errorMost.fair ? 'fair' : 'rough';
}

/** Six digits are what five decimals of a ratio can carry; more would show differences that are none. */
export function roundedIndex(index: number): number {
  return Number(index.toPrecision(6));
}

/** Keywords of one ranking. */
export const keywordsMax = 100_000;
export const keywordLengthMax = 100;

/** Called for every row or value that is changed or left out. */
export type DemandReport = (finding: Finding<DemandFindingKind>) => void;

type DemandFindingKind =
  /** A row without keyword or with an index that is no number; not imported. */
  | 'row_refused'
  /** A response without ratios, such as a spent quota; not used. */
  | 'measurement_refused'
  /** A keyword that no measurement connects to the anchor; not imported. */
  | 'keyword_unmeasured'
  /** A repeated keyword; the first is imported. */
  | 'duplicate';
