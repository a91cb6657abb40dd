import { fittingPeakMin } from '../../ingest/demand/chain.ts';
import { anchorFor, type Anchor } from './ladder.ts';
import { trendLimits } from './limits.ts';
import type { KeywordMeasure } from '../../ingest/demand/measurement.ts';
import type { TrendGroup } from './trend-client.ts';

/** Keyword with the anchor of its next measurement. */
export interface Placement {
  readonly group: TrendGroup;
  /** Index of the anchor in the ladder. */
  readonly anchor: number;
  /** Estimated index of the keyword; null before it is visible. */
  readonly estimate: number | null;
  /** Finished measurements of the keyword. */
  readonly tries: number;
}

/** Groups keywords into batches by anchor and size, since a large keyword scales the others of its batch down. */
export function batchesOf(placements: readonly Placement[]): Placement[][] {
  const byAnchor = Map.groupBy(
    placements.toSorted(
      (left, right) => left.anchor - right.anchor || (right.estimate ?? 0) - (left.estimate ?? 0),
    ),
    ({ anchor }) => anchor,
  );
  return [...byAnchor.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / trendLimits.batchSize) }, (_, at) =>
      all.slice(at * trendLimits.batchSize, (at + 1) * trendLimits.batchSize),
    ),
  );
}

/**
 * Chooses the anchor of a keyword's next measurement after a batch. Null if the keyword has 5 to 100 % of a visible
 * anchor, is invisible beside the smallest anchor, or has no tries left.
 */
export function nextPlacement(
  placement: Placement,
  ladder: readonly Anchor[],
  reference: KeywordMeasure,
  group: KeywordMeasure,
): Placement | null {
  const tries = placement.tries + 1;
  if (tries >= trendLimits.triesMax) return null;
  const isVisible = group.peak > 0;
  const isAnchorVisible = reference.peak >= fittingPeakMin;
  if (isAnchorVisible && group.peak >= fittingPeakMin) return null;
  const last = ladder.length - 1;
  const again = (anchor: number, estimate: number | null): Placement | null => {
    // The same anchor is tried again only if another keyword has scaled both down.
    const isScaledDown = !isAnchorVisible && group.peak < fullPeak;
    return anchor === placement.anchor && !isScaledDown
      ? null
      : { ...placement, anchor, estimate, tries };
  };
  if (!isVisible) return again(last, placement.estimate);
  if (reference.sum === 0) return again(0, placement.estimate);
  const estimate = (ladder[placement.anchor]!.index * group.sum) / reference.sum;
  return again(anchorFor(ladder, estimate), estimate);
}

/** The largest ratio of a response. */
const fullPeak = 100;
