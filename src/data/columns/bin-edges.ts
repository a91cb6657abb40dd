import { roundTicks } from '../values/round-ticks.ts';

/** Extremes and outer percentiles of a set of numbers. */
export interface Spread {
  readonly min: number;
  /** A hundredth of the numbers is below it. */
  readonly low: number;
  /** A hundredth of the numbers is above it. */
  readonly high: number;
  readonly max: number;
}

/**
 * Round edges of bins of equal width. The bins cover all numbers, except for the outermost hundredth on a side where it
 * lies far from the others: otherwise one car park for 50,000 cars would put all others into one bin.
 */
export function binEdges({ min, low, high, max }: Spread, isWhole: boolean): readonly number[] {
  const nearDistance = (high - low) / 2;
  const from = low - min <= nearDistance ? min : low;
  const to = max - high <= nearDistance ? max : high;
  const edges = roundTicks(
    from,
    to,
    isWhole ? Math.min(binsWanted, Math.max(1, to - from)) : binsWanted,
  );
  const last = edges.at(-1)!;
  return to === max && last <= max ? [...edges, last + (edges[1]! - edges[0]!)] : edges;
}

/** Number of bins to aim for. With round widths of 1, 2 and 5 there are seven to sixteen bins. */
const binsWanted = 16;
