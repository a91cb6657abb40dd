import type { CatalogType } from '../../data/axis.ts';
import { withoutDatasetWord } from '../../data/korean/dataset-words.ts';
import { isFillerWord, isSentenceWord } from '../../data/korean/filler-words.ts';
import { withoutParticle } from '../../data/korean/particles.ts';
import { synonymsOf } from '../../data/korean/synonyms.ts';
import type { ParsedQuery, SearchTerm } from '../../data/korean/terms.ts';
import { gramKind, gramsOf } from '../../data/search/gram.ts';
import type { SearchIndex } from '../../data/search/index-file.ts';
import type { Query, QueryTerm } from '../../data/search/rank.ts';
import { titleSynonyms } from './title-synonyms.ts';
import { typeInTerms } from './type-words.ts';

/** A query over descriptions of datasets. `fulfilled` has a bit for each term that every dataset fulfils. */
export interface TitleQuery {
  readonly query: Query;
  readonly fulfilled: number;
  /** Type of the entries that come first; null for no type. */
  readonly firstType: CatalogType | null;
}

/**
 * Reads a query over descriptions of datasets: titles also answer by other words, the terms of a sentence (`도서관은 어디`)
 * lose their particles, years lose their 년, and every dataset fulfils words that name no topic, and years, unless there
 * are no others. A long word is also read with a blank in it, where `isInTitles` holds for that.
 */
export function titleQuery(
  { terms }: Pick<ParsedQuery, 'terms'>,
  isInTitles: (text: string) => boolean = () => true,
): TitleQuery {
  const isSentence = terms.some(({ text, phrase }) => !phrase && isSentenceWord(text));
  const words = terms.map(withoutMarks);
  const bare = (isSentence ? words.map(withoutParticles) : words).map(bareYear).flatMap(divided);
  const text = bare.map((term) => term.text).join(' ');
  return {
    query: { terms: withTitleWords(bare, isInTitles), text, ranksTitles: true },
    fulfilled: fillers(bare),
    firstType: typeInTerms(bare),
  };
}

/** False if no title of an index has a text. */
export function mayBeInTitles({ chunks }: SearchIndex, text: string): boolean {
  const keys = gramsOf(text, gramKind.name);
  return chunks.some((chunk) => keys.every((key) => chunk.countOf(key) > 0));
}

function withoutMarks(term: SearchTerm): SearchTerm {
  const text = term.phrase ? '' : term.text.replace(/[?!.,~…]+$/, '');
  return text === '' ? term : { ...term, text };
}

function withoutParticles(term: SearchTerm): SearchTerm {
  if (term.phrase || isFillerWord(term.text) || synonymsOf(term.text).length > 0) return term;
  let { text } = term;
  for (let bare = withoutParticle(text); bare !== null; bare = withoutParticle(text)) text = bare;
  return { ...term, text };
}

function bareYear(term: SearchTerm): SearchTerm {
  return !term.phrase && year.test(term.text) ? { ...term, text: term.text.slice(0, 4) } : term;
}

/** A term and the word joined to it that fits any dataset (`도서관현황`), as two terms. */
function divided(term: SearchTerm): SearchTerm[] {
  const topic =
    term.phrase || isFillerWord(term.text) || synonymsOf(term.text).length > 0
      ? null
      : withoutDatasetWord(term.text);
  if (topic === null) return [term];
  return [
    { ...term, text: topic },
    { ...term, text: term.text.slice(topic.length) },
  ];
}

/** The terms, each with the words that mean the same. */
function withTitleWords(
  terms: readonly SearchTerm[],
  isInTitles: (text: string) => boolean,
): readonly QueryTerm[] {
  const synonyms = titleSynonyms(terms);
  return terms.map((term, at) => {
    const joined = [term.text, ...synonymsOf(term.text).slice(0, spacedSynonymsMax)];
    const spaced = term.phrase ? [] : joined.flatMap(withBlank).filter(isInTitles);
    const words = [...synonyms[at]!, ...spaced];
    return words.length === 0 ? term : { ...term, nameSynonyms: words };
  });
}

/** Synonyms that are also found with a blank in them; each costs some look-ups. */
const spacedSynonymsMax = 4;

/** A long Korean word with a blank at each place where a title may have one (`전기차 충전소`). */
function withBlank(word: string): string[] {
  if (!compound.test(word)) return [];
  return Array.from(
    { length: word.length - 2 * partLengthMin + 1 },
    (_, at) => `${word.slice(0, at + partLengthMin)} ${word.slice(at + partLengthMin)}`,
  );
}

const compound = /^[가-힣]{4,12}$/;
const partLengthMin = 2;

function fillers(terms: readonly SearchTerm[]): number {
  const isFiller = terms.map(
    ({ text, phrase }) => !phrase && (isFillerWord(text) || year.test(text)),
  );
  if (isFiller.every((filler) => filler)) return 0;
  return isFiller.reduce((bits, filler, at) => (filler ? bits | (1 << at) : bits), 0);
}

const year = /^(?:19|20)\d\d년?$/;
