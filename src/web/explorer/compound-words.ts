import { parseQuery, type ParsedQuery, type SearchTerm } from '../../data/korean/terms.ts';
import type { LookupStore } from '../../lookup/store/store.ts';

/** A query in which a word is divided before the subject of datasets: 공영 주차장 for 공영주차장. */
interface DividedQuery {
  readonly query: ParsedQuery;
  /** The datasets whose title has the second part. */
  readonly codes: readonly string[];
  /** Text of the first part. */
  readonly head: string;
}

/** The divisions of the words of a query before the subjects of datasets. */
export function dividedQueries(
  { terms }: ParsedQuery,
  { topics }: Pick<LookupStore, 'topics'>,
): readonly DividedQuery[] {
  return terms.slice(0, wordsMax).flatMap((term, at) =>
    divisionsOf(term).flatMap(([head, tail]) => {
      const subjects = topics.subjectsOf([{ text: tail, phrase: false }]);
      const codes = [...subjects].flatMap(([code, { byTerm }]) =>
        byTerm[0]?.kind === 'label' ? [] : [code],
      );
      if (codes.length === 0) return [];
      const texts = terms.map(({ text }) => text).with(at, `${head} ${tail}`);
      return [{ query: parseQuery(texts.join(' ')), codes, head }];
    }),
  );
}

const wordsMax = 4;

/** The divisions of a word of Hangul, each part of at least two syllables. */
function divisionsOf({ text, phrase }: SearchTerm): (readonly [head: string, tail: string])[] {
  if (phrase || !/^[가-힣]{4,12}$/.test(text)) return [];
  return Array.from({ length: text.length - 3 }, (_, at) => [
    text.slice(0, at + 2),
    text.slice(at + 2),
  ]);
}
