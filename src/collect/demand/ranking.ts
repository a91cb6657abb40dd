import type { Demand, DemandItem, DemandMethod } from '../../data/demand.ts';

/** A ranking as a file gives it, before anything is linked to it. */
export interface UnlinkedDemand extends Omit<Demand, 'items'> {
  readonly items: readonly UnlinkedItem[];
}
export type UnlinkedItem = Omit<DemandItem, 'axes' | 'catalogTotal'>;

/** A keyword with its index, or null where it lies below what the measurement can tell. */
export type Scored = readonly [keyword: string, index: number | null];

/**
 * Puts keywords in rank order: by index, ties by name, what is below the resolution last.
 * The rank is dense: equal indices share one, the next is one more, and all below the resolution share the
 * last, since nothing is known of their order.
 */
export function ranked(
  anchor: string,
  method: DemandMethod,
  scores: readonly Scored[],
): UnlinkedDemand {
  const ordered = scores.toSorted(
    ([left, leftIndex], [right, rightIndex]) =>
      (rightIndex ?? -1) - (leftIndex ?? -1) || (left < right ? -1 : left > right ? 1 : 0),
  );
  let rank = 0;
  let last: number | null | undefined;
  const items = ordered.map(([keyword, index]): UnlinkedItem => {
    if (index !== last) rank++;
    last = index;
    return { rank, keyword, index, belowResolution: index === null };
  });
  return { anchor, method, items };
}

/** Six digits are what five decimals of a ratio can carry; more would show differences that are none. */
export function roundedIndex(index: number): number {
  return Number(index.toPrecision(6));
}

/** Keywords of one ranking. */
export const keywordsMax = 100_000;
export const keywordLengthMax = 100;

/** Called for everything that could not be taken as it stood. */
export type DemandReport = (finding: DemandFinding) => void;

export interface DemandFinding {
  readonly kind: DemandFindingKind;
  /** 1-based: row of a list, ordinal of a measurement; null for the whole. */
  readonly row: number | null;
  readonly detail: string;
}

type DemandFindingKind =
  /** A row without keyword or with an index that is no number; not held. */
  | 'row_refused'
  /** An answer that holds no ratios, such as a spent quota; not used. */
  | 'measurement_refused'
  /** No measurement ties the keyword to the anchor; not held. */
  | 'keyword_unmeasured'
  /** The keyword came before; the first is held. */
  | 'duplicate';
