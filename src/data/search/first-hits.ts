import type { Match } from './match-cursor.ts';

/** A match, and how many others of its index have the same name. */
export interface Hit extends Match {
  readonly more: number;
}

/**
 * Hits of sorted matches: equal names of one index once, and among the first ten at most three of an index while
 * others have hits. The matches of `isLast` indexes stay behind all others.
 */
export function firstHits(matches: readonly Match[], isLast: (match: Match) => boolean): Hit[] {
  const hits = withoutRepeatedNames(matches);
  const first = hits.filter((hit) => !isLast(hit));
  const last = hits.filter(isLast);
  const spread = spreadHits(first, firstMax);
  return [...spread, ...spreadHits(last, firstMax - spread.length)];
}

/** Hits at the top of an answer that several indexes share, and those that one may have of them. */
const firstMax = 10;
export const ofOneIndexMax = 3;

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

/** Moves hits behind the first `count` where their index has its share of them already. */
function spreadHits(hits: readonly Hit[], count: number): Hit[] {
  const taken = new Map<number, number>();
  const first: Hit[] = [];
  const moved: Hit[] = [];
  for (const hit of hits) {
    const ofIndex = taken.get(hit.index) ?? 0;
    if (first.length < count && ofIndex < ofOneIndexMax) {
      first.push(hit);
      taken.set(hit.index, ofIndex + 1);
    } else {
      moved.push(hit);
    }
  }
  return [...first, ...moved];
}
