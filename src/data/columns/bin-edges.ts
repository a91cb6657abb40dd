import { roundTicks } from '../values/round-ticks.ts';

/** Places of a set of numbers, in their order. */
export interface Spread {
  readonly min: number;
  /** A hundredth of the numbers is below it. */
  readonly low: number;
  /** A hundredth of the numbers is above it. */
  readonly high: number;
  readonly max: number;
}

/**
 * Round edges of bins of one width. They reach from the least number to past the largest, but leave out
 * the outermost hundredth where it lies far from the others: one car park of 50,000 cars would make one bin of the rest.
 */
export function binEdges({ min, low, high, max }: Spread, isWhole: boolean): readonly number[] {
  const near = (high - low) / 2;
  const from = low - min <= near ? min : low;
  const to = max - high <= near ? max : high;
  const edges = roundTicks(
    from,
    to,
    isWhole ? Math.min(binsWanted, Math.max(1, to - from)) : binsWanted,
  );
  const last = edges.at(-1)!;
  return to === max && last <= max ? [...edges, last + (edges[1]! - edges[0]!)] : edges;
}

/** Steps of 1, 2 and 5 make seven to sixteen bins of it. */
const binsWanted = 16;
