import { readAmountWords, type AmountWords } from '../../data/korean/amount-words.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import { withoutParticle } from '../../data/korean/particles.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { placeIn, type NamedPlace } from './named-place.ts';
import type { PageRequest } from '../serve-page.ts';

/** Words of a query that are searched for in no record: amounts and orders, and the place near which records are wanted. */
export interface QueryWords {
  readonly amounts: AmountWords | null;
  readonly place: NamedPlace | null;
  /** These words as they were typed; empty without any. */
  readonly text: string;
  /** The query without them. */
  readonly rest: string;
}

type Searching = Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>;

/** Reads the words of a query that mean a selection of records. */
export async function readQueryWords(q: string, request: Searching): Promise<QueryWords> {
  const typed = withoutNationwide(q);
  const amounts = await amountsIn(typed, request);
  const place = await placeIn(amounts?.rest ?? typed, request);
  const texts = [place?.text, amounts?.text].filter((text) => text !== undefined);
  return { amounts, place, text: texts.join(' '), rest: place?.rest ?? amounts?.rest ?? typed };
}

/** A query without the word 전국, which limits nothing and is part of many titles; as typed if it has no other word. */
function withoutNationwide(q: string): string {
  if (/["“”]/.test(q)) return q;
  const rest = q
    .replaceAll(/(?<!\S)전국(?:의|에서?|적인)?(?!\S)/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  return rest === '' ? q : rest;
}

/** A query of which no words are read. */
export function plainWords(q: string): QueryWords {
  return { amounts: null, place: null, text: '', rest: q };
}

/** The amounts of a query whose groups have a subject, 화재가 가장 많은 달, which loses its particle if a dataset has it. */
function withoutSubjectParticle(amounts: AmountWords, { topics }: Searching['store']): AmountWords {
  if ((amounts.order?.groups ?? null) === null) return amounts;
  const words = amounts.rest.split(' ').map((word) => {
    const bare = /[이가은는]$/.test(word) ? withoutParticle(word) : null;
    const isSubject =
      bare !== null && topics.subjectsOf([{ text: unspacedText(bare), phrase: false }]).size > 0;
    return isSubject ? bare : word;
  });
  return { ...amounts, rest: words.join(' ') };
}

/** The amounts that a query names, unless titles or the catalog have these words: 5인 이상 사업장. */
async function amountsIn(
  q: string,
  { store, isAbandoned }: Searching,
): Promise<AmountWords | null> {
  const read = readAmountWords(q);
  const amounts = read === null ? null : withoutSubjectParticle(read, store);
  for (const { text } of amounts?.conditions ?? []) {
    const word = unspacedText(text);
    if (store.topics.subjectsOf([{ text: word, phrase: false }]).size > 0) return null;
    for (const phrase of new Set([text, word])) {
      const query = parseQuery(`"${phrase}" ${amounts!.rest}`);
      const { total } = await store.catalogSearch({ ...query, offset: 0, limit: 0 }, isAbandoned);
      if (total > 0) return null;
    }
  }
  return amounts;
}
