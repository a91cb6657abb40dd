import type { Match } from './match-cursor.ts';

/** The first match of a name in an index, which stands for all matches of that name there. */
export interface Hit extends Match {
  /** Number of the other matches. */
  readonly more: number;
}

/**
 * Makes hits of sorted matches. Equal names of an index are one hit. An index has at most three of the first ten hits
 * if other indexes have hits. Matches of `isLast` indexes follow all others.
 */
export function firstHits(matches: readonly Match[], isLast: (match: Match) => boolean): Hit[] {
  const hits = withoutRepeatedNames(matches);
  const first = hits.filter((hit) => !isLast(hit));
  const last = hits.filter(isLast);
  const spread = spreadHits(first, firstMax);
  return [...spread, ...spreadHits(last, firstMax - spread.length)];
}

/** First hits of an answer, which several indexes share. */
const firstMax = 10;
/** First hits of one index if other indexes have hits. */
export const hitsPerIndexMax = 3;

function withoutRepeatedNames(matches: readonly Match[]): Hit[] {
  const hits: MutableHit[] = [];
  const byIndex: (Map<string, MutableHit> | undefined)[] = [];
  for (const match of matches) {
    const { index, document, rank, name } = match;
    const byName = (byIndex[index] ??= new Map<string, MutableHit>());
    const first = name === '' ? undefined : byName.get(name);
    if (first !== undefined) {
      first.more++;
      continue;
    }
    const hit = { index, document, rank, name, more: 0 };
    if (name !== '') byName.set(name, hit);
    hits.push(hit);
  }
  return hits;
}

interface MutableHit extends Hit {
  more: number;
}

/** Moves hits behind the first `count` if their index already has its share of these. */
function spreadHits(hits: readonly Hit[], count: number): Hit[] {
  const hitsByIndex = new Map<number, number>();
  const first: Hit[] = [];
  const moved: Hit[] = [];
  for (const hit of hits) {
    const indexHits = hitsByIndex.get(hit.index) ?? 0;
    if (first.length < count && indexHits < hitsPerIndexMax) {
      first.push(hit);
      hitsByIndex.set(hit.index, indexHits + 1);
    } else {
      moved.push(hit);
    }
  }
  return [...first, ...moved];
}
