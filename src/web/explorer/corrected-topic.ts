import { letterVariants } from '../../data/korean/letter-variants.ts';
import { parseQuery, type SearchTerm } from '../../data/korean/terms.ts';
import { isRegionName } from '../../data/regions/is-region-name.ts';
import type { PageRequest } from '../serve-page.ts';

type Searching = Pick<PageRequest, 'store' | 'isAbandoned'>;

/**
 * A query with one wrong letter in the name of a dataset corrected: 주차장 for 주자장. Null if no dataset has the name
 * that the letter makes, or if the typed word is known itself.
 */
export async function correctedTopic(q: string, request: Searching): Promise<string | null> {
  for (const term of parseQuery(q).terms) {
    if (!isLongWord.test(term.text) || !q.includes(term.text) || isRegionName(term.text)) continue;
    // Nearly every word is known; the others cost some hundred look-ups.
    if (await isKnown(term, request)) continue;
    const meant = topicNear(term.text, request);
    if (meant !== null) return q.replace(term.text, meant);
  }
  return null;
}

/** Too many words differ in one letter from one of two syllables; longer words have too many variants. */
const isLongWord = /^[가-힣]{3,6}$/;

/** The word that most titles of real datasets have among those that differ in one letter. */
function topicNear(word: string, { store: { topics, axes } }: Searching): string | null {
  let best: string | null = null;
  let titlesMost = 0;
  for (const variant of letterVariants(word)) {
    const subjects = [...topics.subjectsOf([{ text: variant, phrase: false }])];
    const titles = subjects.filter(
      ([code, { byTerm }]) =>
        byTerm[0]?.kind === 'title' && axes.get(code)?.axis.origin !== 'sample',
    ).length;
    if (titles > titlesMost) [best, titlesMost] = [variant, titles];
  }
  return best;
}

/** True for a word of a dataset, of the catalog or of more records than a mistake of a source is in. */
async function isKnown(term: SearchTerm, { store, isAbandoned }: Searching): Promise<boolean> {
  if (store.topics.subjectsOf([term]).size > 0) return true;
  const query = { terms: [term], text: term.text, offset: 0, limit: 0 };
  const { total: entries } = await store.catalogSearch(query, isAbandoned);
  return entries > 0 || (await store.search(query, isAbandoned)).total > mistakesMax;
}

const mistakesMax = 20;
