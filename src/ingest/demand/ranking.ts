import type { Origin } from '../../data/axis.ts';
import type { DemandMethod, ErrorClass, UnlinkedDemand, UnlinkedItem } from '../../data/demand.ts';
import type { Finding } from '../../data/finding.ts';

/**
 * A keyword with its index (null if it is below the resolution of the measurement) and its relative error, if that is
 * known.
 */
export type KeywordScore = readonly [keyword: string, index: number | null, error?: number];

/**
 * Ranks keywords by index, then by name; keywords below the resolution are last. The rank is dense: equal indices
 * share a rank. All keywords below the resolution share the last rank, because their order is unknown.
 */
export function rankScores(
  anchor: string,
  method: DemandMethod,
  scores: readonly KeywordScore[],
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

/** Maximum relative error of each class. */
export const relativeErrorMax = { fine: 0.05, fair: 0.15 } as const;

function errorClassOf(error: number): ErrorClass {
  if (error <= relativeErrorMax.fine) return 'fine';
  return error <= relativeErrorMax.fair ? 'fair' : 'rough';
}

/** Rounds to six significant digits: the ratios have five decimals, so more digits would be noise. */
export function roundIndex(index: number): number {
  return Number(index.toPrecision(6));
}

/** Maximum number of keywords in a ranking. */
export const keywordsMax = 100_000;
export const keywordLengthMax = 100;

/** Function that receives every row or value that is changed or left out. */
export type DemandReport = (finding: Finding<DemandFindingKind>) => void;

type DemandFindingKind =
  /** A row without a keyword, or with an index that is not a number; not imported. */
  | 'row_refused'
  /** A response without ratios, such as an error; not used. */
  | 'measurement_refused'
  /** A keyword that no measurement connects to the anchor; not imported. */
  | 'keyword_unmeasured'
  /** A repeated keyword; the first is imported. */
  | 'duplicate';
