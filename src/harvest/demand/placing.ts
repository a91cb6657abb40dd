import { fittingPeakMin } from '../../ingest/demand/chain.ts';
import { anchorFor, type Anchor } from './ladder.ts';
import { trendLimits } from './limits.ts';
import type { KeywordMeasure } from '../../ingest/demand/measurement.ts';
import type { TrendGroup } from './trend-client.ts';

/** A keyword on its way to the anchor beside which it can be measured. */
export interface Placement {
  readonly group: TrendGroup;
  /** Its place in the ladder, from 0. */
  readonly anchor: number;
  /** Its index as far as it is known; null before it was seen. */
  readonly estimate: number | null;
  readonly tries: number;
}

/** Batches of one anchor each, keywords of one size together: a large one presses the others down. */
export function batchesOf(placed: readonly Placement[]): Placement[][] {
  const byAnchor = Map.groupBy(
    placed.toSorted(
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
 * Placement of a keyword in the next batch; null when it was measured well, or as well as possible:
 * it lies at 5 to 100 % beside an anchor that shows, or is not seen beside the smallest.
 */
export function placedAgain(
  placed: Placement,
  ladder: readonly Anchor[],
  reference: KeywordMeasure,
  group: KeywordMeasure,
): Placement | null {
  const tries = placed.tries + 1;
  if (tries >= trendLimits.triesMax) return null;
  const isSeen = group.peak > 0;
  const shows = reference.peak >= fittingPeakMin;
  if (shows && group.peak >= fittingPeakMin) return null;
  const last = ladder.length - 1;
  const again = (anchor: number, estimate: number | null): Placement | null => {
    // At the same place only another keyword can have pressed both down.
    const isPressed = !shows && group.peak < fullPeak;
    return anchor === placed.anchor && !isPressed ? null : { ...placed, anchor, estimate, tries };
  };
  if (!isSeen) return again(last, placed.estimate);
  if (reference.sum === 0) return again(0, placed.estimate);
  const estimate = (ladder[placed.anchor]!.index * group.sum) / reference.sum;
  return again(anchorFor(ladder, estimate), estimate);
}

/** The largest ratio of a response. */
const fullPeak = 100;
