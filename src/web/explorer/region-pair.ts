import { isCompareWord } from '../../data/korean/compare-words.ts';
import { isFillerWord } from '../../data/korean/filler-words.ts';
import { withoutParticle } from '../../data/korean/particles.ts';
import { liesIn, regionInQuery, type QueryRegion } from './query-region.ts';

/** Two regions that words of a query name, to be compared. */
export interface RegionPair {
  readonly regions: readonly [QueryRegion, QueryRegion];
  /** The query without the regions and the words that compare them. */
  readonly rest: string;
}

/** The first two regions of a query, neither of which lies in the other; null with fewer. */
export function regionPairInQuery(q: string): RegionPair | null {
  const words = q.split(/[\s,·&/]+|vs\.?/i).map(withoutJoin);
  const one = regionInQuery(words.filter((word) => word !== '').join(' '));
  const other = one === null ? null : regionInQuery(one.rest);
  if (one === null || other === null) return null;
  if (liesIn(one, other) || liesIn(other, one)) return null;
  const topics = other.rest.split(' ').filter((word) => !isCompareWord(word));
  return { regions: [one, other], rest: topics.filter((word) => !isFillerWord(word)).join(' ') };
}

/** A region without its particle (강남구와); other words as they are. */
function withoutJoin(word: string): string {
  const bare = withoutParticle(word);
  return bare !== null && !isRegion(word) && isRegion(bare) ? bare : word;
}

function isRegion(word: string): boolean {
  return regionInQuery(word) !== null;
}
