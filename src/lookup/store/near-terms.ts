import { withoutEnding } from '../../data/korean/endings.ts';
import { isFillerWord } from '../../data/korean/filler-words.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { widerNames } from '../../data/regions/wider-names.ts';
import { emptySet, intersect, type DocumentSet } from '../../data/search/document-set.ts';
import { gramKind, gramsOf, type GramKey } from '../../data/search/gram.ts';
import type { SearchChunk, SearchIndex } from '../../data/search/index-file.ts';
import { titleQuery } from './title-query.ts';

/** A term of a query with the words by which entries are near to it. */
export interface NearTerm {
  /** The worthiest first. */
  readonly forms: readonly Form[];
  /** True for the name of a region, which is a condition rather than a subject. */
  readonly isRegion: boolean;
}

/** A word by which an entry is near to a term: the term itself, one that means the same, or a part of it. */
interface Form {
  readonly text: string;
  /** Grows with the rarity of the word and with how much of the term it keeps. */
  readonly worth: number;
  /** By chunk, the documents that probably have the word in the title. */
  readonly inTitle: readonly DocumentSet[];
  /** By chunk, the documents that probably have the word anywhere; none for parts. */
  readonly anywhere: readonly DocumentSet[];
}

/** The terms of a query over the catalog that name subjects and regions. */
export function* nearTerms(
  index: SearchIndex,
  parsed: Pick<ParsedQuery, 'terms'>,
): Generator<void, NearTerm[]> {
  const { query, fulfilled } = titleQuery(parsed);
  const terms: NearTerm[] = [];
  for (const [position, term] of query.terms.entries()) {
    const { text, phrase, nameSynonyms = [] } = term;
    const stem = phrase ? null : withoutEnding(text);
    const wider = phrase ? null : (widerNames(text) ?? widerNames(stem ?? ''));
    const shares = new Map<string, number>();
    const add = (share: number, words: readonly string[]): void => {
      for (const word of words) {
        const isUseful = word.length >= formLengthMin && !isFillerWord(word);
        if (isUseful && !shares.has(word)) shares.set(word, share);
      }
    };
    const isFulfilled = (fulfilled & (1 << position)) !== 0;
    if (!isFulfilled) shares.set(text, wholeShare);
    if (!isFulfilled) add(synonymShare, nameSynonyms);
    if (stem !== null) add(synonymShare, [stem]);
    if (!isFulfilled && wider !== null) {
      add(synonymShare, wider.current);
      add(sidoShare, wider.sidos);
    } else if (!isFulfilled && !phrase) {
      add(partShare, partsOf(text));
    }
    if (shares.size === 0) continue;
    const isRegion = wider !== null;
    terms.push({ forms: yield* formsOf(index, shares, isRegion), isRegion });
  }
  return withLightRegions(terms);
}

const formLengthMin = 2;
/** Shares of a term's worth that its forms keep. */
const wholeShare = 1;
const synonymShare = 0.9;
const partShare = 0.6;
const sidoShare = 0.5;
/** The regions of a query are worth at most this share of its subjects. */
const regionsShare = 0.6;

function* formsOf(
  index: SearchIndex,
  shares: ReadonlyMap<string, number>,
  isRegion: boolean,
): Generator<void, Form[]> {
  const forms: (Omit<Form, 'worth'> & { share: number })[] = [];
  for (const [text, share] of shares) {
    const isWhole = share >= synonymShare;
    const inTitle = documentsWith(index, gramsOf(text, gramKind.name));
    const anywhere = isWhole ? documentsWith(index, gramsOf(text, gramKind.text)) : [];
    forms.push({ text, share, inTitle, anywhere });
    yield;
  }
  const wholes = forms.flatMap(({ anywhere }) => anywhere);
  const ownCount = countOf(wholes);
  const own = ownCount === 0 ? Infinity : rarity(ownCount, index);
  return forms
    .map(({ share, ...form }) => {
      const ofForm = rarity(
        isRegion || share >= synonymShare ? ownCount : countOf(form.inTitle),
        index,
      );
      return { ...form, worth: share * Math.min(own, ofForm) };
    })
    .sort((a, b) => b.worth - a.worth);
}

/** Inverse document frequency. */
function rarity(count: number, { documents }: SearchIndex): number {
  return Math.log(1 + documents / (count + rareCount));
}

/** Words in fewer documents are equally rare. */
const rareCount = 5;

function countOf(sets: readonly DocumentSet[]): number {
  return sets.reduce((sum, { count }) => sum + count, 0);
}

function withLightRegions(terms: readonly NearTerm[]): NearTerm[] {
  const sumOf = (ofRegions: boolean): number =>
    terms.reduce(
      (sum, { isRegion, forms }) => sum + (isRegion === ofRegions ? forms[0]!.worth : 0),
      0,
    );
  const subjects = sumOf(false);
  const scale = subjects === 0 ? 1 : Math.min(1, (regionsShare * subjects) / sumOf(true));
  return terms.map(({ isRegion, forms }) => ({
    isRegion,
    forms: isRegion ? forms.map((form) => ({ ...form, worth: form.worth * scale })) : forms,
  }));
}

/** By chunk, the documents that have all keys, without reading their texts. */
function documentsWith({ chunks }: SearchIndex, keys: readonly GramKey[]): DocumentSet[] {
  return chunks.map((chunk) => {
    const rarestFirst = keys
      .map((key) => ({ key, count: chunk.countOf(key) }))
      .sort((a, b) => a.count - b.count);
    if (rarestFirst[0]?.count === 0) return emptySet;
    return rarestFirst
      .map(({ key }) => key)
      .reduce((set: DocumentSet | null, key) => joined(set, chunk, key), null)!;
  });
}

function joined(set: DocumentSet | null, chunk: SearchChunk, key: GramKey): DocumentSet {
  if (set === null) return chunk.setOf(key);
  return set.count === 0 ? set : intersect(set, chunk.setOf(key));
}

/** Beginnings and ends of a Korean word; the Korean and the Latin part of one with both. */
function partsOf(word: string): string[] {
  if (/^[a-z가-힣]*[a-z][a-z가-힣]*$/.test(word)) return word.match(/[가-힣]+|[a-z]+/g) ?? [];
  if (!compound.test(word)) return [];
  const parts: string[] = [];
  for (let length = word.length - 1; length >= formLengthMin; length--) {
    parts.push(word.slice(0, length), word.slice(-length));
  }
  return parts;
}

const compound = /^[가-힣]{3,12}$/;
