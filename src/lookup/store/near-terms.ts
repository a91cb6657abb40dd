import { withoutEnding } from '../../data/korean/endings.ts';
import { everydayReadings, type EverydayReading } from '../../data/korean/everyday-words.ts';
import { isGeneralWord } from '../../data/korean/general-words.ts';
import { isFillerWord } from '../../data/korean/filler-words.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { widerNames } from '../../data/regions/wider-names.ts';
import type { QueryTerm } from '../../data/search/rank.ts';
import { emptySet, intersect, type DocumentSet } from '../../data/search/document-set.ts';
import { gramKind, gramsOf, type GramKey } from '../../data/search/gram.ts';
import type { SearchChunk, SearchIndex } from '../../data/search/index-file.ts';
import { mayBeInTitles, titleQuery } from './title-query.ts';

/** A term of a query with the words by which entries are near to it. */
export interface NearTerm {
  /** The worthiest first. */
  readonly forms: readonly Form[];
  /** True for the name of a region, which is a condition rather than a subject. */
  readonly isRegion: boolean;
  /** True for a word such as 사람, which is worth little beside other subjects. */
  readonly isGeneral: boolean;
}

/** A word by which an entry is near to a term: the term itself, one of the same meaning, or a part of it. */
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
  const { query, fulfilled } = titleQuery(parsed, (text) => mayBeInTitles(index, text));
  const isFulfilled = (position: number): boolean => (fulfilled & (1 << position)) !== 0;
  const terms: NearTerm[] = [];
  const readings = new Map<number, EverydayReading>();
  for (const reading of everydayReadings(query.terms)) {
    for (const position of reading.positions) readings.set(position, reading);
    if (!reading.isPhrase) continue;
    const named = reading.positions.filter((position) => !isFulfilled(position));
    const words = named.map((position) => query.terms[position]!);
    terms.push(...(yield* phraseTerms(index, reading, words)));
  }
  for (const [position, term] of query.terms.entries()) {
    const reading = readings.get(position);
    if (reading?.isPhrase === true) continue;
    const { shares, isRegion } = termShares(term, isFulfilled(position));
    if (reading !== undefined && isRareInTitles(index, term)) {
      for (const [word, share] of officialShares(reading)) shares.set(word, share);
    }
    if (shares.size === 0) continue;
    const forms = yield* formsOf(index, shares, isRegion);
    terms.push({ forms, isRegion, isGeneral: isGeneralWord(term.text) });
  }
  return withLightRegions(withLightGeneralWords(terms));
}

/** An everyday phrase as the words of titles that mean it, and as its own words, which are worth less. */
function* phraseTerms(
  index: SearchIndex,
  reading: EverydayReading,
  words: readonly QueryTerm[],
): Generator<void, NearTerm[]> {
  const meant = yield* formsOf(index, officialShares(reading), false);
  const isGeneral = words.every(({ text }) => isGeneralWord(text));
  const terms: NearTerm[] = [{ forms: meant, isRegion: false, isGeneral }];
  const worthMax = meant[0]!.worth * phraseWordShare;
  for (const { text, nameSynonyms = [] } of words) {
    const shares: Shares = new Map();
    addShares(shares, partShare, [text, withoutEnding(text) ?? text, ...nameSynonyms]);
    if (shares.size === 0) continue;
    const forms = yield* formsOf(index, shares, false);
    const light = forms.map((form) => ({ ...form, worth: Math.min(form.worth, worthMax) }));
    terms.push({ forms: light, isRegion: false, isGeneral: isGeneralWord(text) });
  }
  return terms;
}

/** Shares of the worth of a term that the words keep by which an entry is near to it. */
type Shares = Map<string, number>;

function termShares(
  { text, phrase, nameSynonyms = [] }: QueryTerm,
  isFulfilled: boolean,
): { readonly shares: Shares; readonly isRegion: boolean } {
  const stem = phrase ? null : withoutEnding(text);
  const wider = phrase ? null : (widerNames(text) ?? widerNames(stem ?? ''));
  const shares: Shares = new Map();
  if (!isFulfilled) shares.set(text, wholeShare);
  if (!isFulfilled) addShares(shares, synonymShare, nameSynonyms);
  if (stem !== null) addShares(shares, synonymShare, [stem]);
  if (!isFulfilled && wider !== null) {
    addShares(shares, synonymShare, wider.current);
    addShares(shares, sidoShare, wider.sidos);
  } else if (!isFulfilled && !phrase) {
    addShares(shares, partShare, partsOf(text));
  }
  return { shares, isRegion: wider !== null };
}

function officialShares({ official }: EverydayReading): Shares {
  return new Map(official.map((word, at) => [word, everydayShare - at * laterWordCost]));
}

function addShares(shares: Shares, share: number, words: readonly string[]): void {
  for (const word of words) {
    const isUseful = word.length >= formLengthMin && !isFillerWord(word);
    if (isUseful && !shares.has(word)) shares.set(word, share);
  }
}

/** True for a term that few titles have, in these or other words. */
export function isRareInTitles(
  index: SearchIndex,
  { text, nameSynonyms = [] }: QueryTerm,
): boolean {
  // A syllable is in many titles as a letter of other words.
  if (text.length === 1) return true;
  const sets = [text, ...nameSynonyms].flatMap((word) =>
    documentsWith(index, gramsOf(word, gramKind.name)),
  );
  return countOf(sets) < rareTitlesMax;
}

const formLengthMin = 2;
/** Shares of a term's worth that its forms keep. */
const wholeShare = 1;
const synonymShare = 0.9;
const everydayShare = 0.8;
/** Share that an official word loses for each likelier official word of the same everyday word. */
const laterWordCost = 0.03;
const partShare = 0.6;
/** A word of an everyday phrase is worth at most this share of what the phrase means. */
const phraseWordShare = 0.3;
const sidoShare = 0.5;
/** Share of its worth that a general word keeps beside other subjects. */
const generalShare = 0.3;
/** The regions of a query are worth at most this share of its subjects. */
const regionsShare = 0.6;
/** A word that more titles have needs no other words. */
const rareTitlesMax = 5;

function* formsOf(
  index: SearchIndex,
  shares: ReadonlyMap<string, number>,
  isRegion: boolean,
): Generator<void, Form[]> {
  const forms: (Omit<Form, 'worth'> & { share: number })[] = [];
  for (const [text, share] of shares) {
    const inTitle = documentsWith(index, gramsOf(text, gramKind.name));
    yield;
    const isWhole = share > partShare;
    const anywhere = isWhole ? documentsWith(index, gramsOf(text, gramKind.text)) : [];
    forms.push({ text, share, inTitle, anywhere });
    yield;
  }
  const own = forms.filter(({ share }) => share >= synonymShare);
  const ownCount = countOf(own.flatMap(({ anywhere }) => anywhere));
  const worthMax = ownCount === 0 ? Infinity : rarity(ownCount, index);
  return forms
    .map(({ share, ...form }) => {
      const isOwn = isRegion || share >= synonymShare;
      const count = isOwn ? ownCount : countOf(share > partShare ? form.anywhere : form.inTitle);
      return { ...form, worth: share * Math.min(worthMax, rarity(count, index)) };
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

/** The terms, of which general words (사람) are worth little beside other subjects. */
function withLightGeneralWords(terms: readonly NearTerm[]): readonly NearTerm[] {
  if (terms.every(({ isRegion, isGeneral }) => isRegion || isGeneral)) return terms;
  return terms.map((term) => (term.isGeneral ? lighter(term, generalShare) : term));
}

function withLightRegions(terms: readonly NearTerm[]): NearTerm[] {
  const sumOf = (ofRegions: boolean): number =>
    terms.reduce(
      (sum, { isRegion, forms }) => sum + (isRegion === ofRegions ? forms[0]!.worth : 0),
      0,
    );
  const subjects = sumOf(false);
  const scale = subjects === 0 ? 1 : Math.min(1, (regionsShare * subjects) / sumOf(true));
  return terms.map((term) => (term.isRegion ? lighter(term, scale) : term));
}

function lighter(term: NearTerm, share: number): NearTerm {
  return { ...term, forms: term.forms.map((form) => ({ ...form, worth: form.worth * share })) };
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
