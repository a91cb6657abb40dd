import { trendLimits } from './limits.ts';

/** A keyword that others are measured against, with its index relative to the first one's 100. */
export interface Anchor {
  readonly keyword: string;
  readonly index: number;
}

/**
 * The ladder where none is given, the largest first: words that are sought all year and for years. 날씨 is
 * none, since its season would bend every index. How far apart they are is measured anew each time.
 */
export const usualAnchors = ['지도', '병원', '박물관', '문화원', '표준데이터'] as const;

/**
 * The anchor beside which a keyword of about this index lies best: the smallest that is not smaller, so that
 * the anchor is the largest of its batch and the keyword between 5 and 100 % of it.
 */
export function anchorFor(ladder: readonly Anchor[], estimate: number): number {
  for (let at = ladder.length - 1; at > 0; at--) if (ladder[at]!.index >= estimate) return at;
  return 0;
}

/** Neighbours that are too far apart, or in the wrong order, in one sentence each. */
export function ladderGaps(ladder: readonly Anchor[]): string[] {
  return ladder.slice(1).flatMap((anchor, at) => {
    const above = ladder[at]!;
    const step = above.index / anchor.index;
    if (step >= 1 && step <= trendLimits.ladderStepMax) return [];
    const times = step >= 1 ? `${Math.round(step)} times smaller` : 'larger';
    return [
      `"${anchor.keyword}" is ${times} than "${above.keyword}" above it: name anchors that are 1 to ` +
        `${trendLimits.ladderStepMax} times apart, the largest first.`,
    ];
  });
}
