import { trendLimits } from './limits.ts';

/** Keyword that others are measured against, with its index; the first anchor has 100. */
export interface Anchor {
  readonly keyword: string;
  readonly index: number;
}

/**
 * The default anchors, the largest first: words that are searched evenly all year. 날씨 is not among them, since its
 * seasons would distort every index. Each collection measures their distances again.
 */
export const defaultAnchors = ['지도', '병원', '박물관', '문화원', '표준데이터'] as const;

/**
 * Index in the ladder of the best anchor for a keyword: the smallest anchor that is not below the estimate. The
 * anchor is then the largest of its batch, and the keyword has 5 to 100 % of it.
 */
export function anchorFor(ladder: readonly Anchor[], estimate: number): number {
  for (let at = ladder.length - 1; at > 0; at--) if (ladder[at]!.index >= estimate) return at;
  return 0;
}

/** Describes neighbours that are too far apart or in the wrong order, in one sentence each. */
export function ladderGaps(ladder: readonly Anchor[]): string[] {
  return ladder.slice(1).flatMap((anchor, at) => {
    const larger = ladder[at]!;
    const step = larger.index / anchor.index;
    if (step >= 1 && step <= trendLimits.ladderStepMax) return [];
    const times = step >= 1 ? `${Math.round(step)} times smaller` : 'larger';
    return [
      `"${anchor.keyword}" is ${times} than "${larger.keyword}" above it: name anchors that are 1 to ` +
        `${trendLimits.ladderStepMax} times apart, the largest first.`,
    ];
  });
}
