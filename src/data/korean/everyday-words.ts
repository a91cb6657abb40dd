import everyday from './everyday-words.json' with { type: 'json' };
import { withoutEnding } from './endings.ts';
import { finalConsonant } from './jamo.ts';
import type { SearchTerm } from './terms.ts';

/** Terms of a query that are an everyday word or phrase (`밥`, `애 맡길 곳`). */
export interface EverydayReading {
  /** Positions of the terms, without terms that earlier readings have used. */
  readonly positions: readonly number[];
  readonly isPhrase: boolean;
  /** Words of titles that mean it, without blanks, the likeliest first. */
  readonly official: readonly string[];
}

/** Everyday words and phrases of one meaning, normalised, and the words of titles for it; see `everyday-words.json`. */
export const everydayGroups = Object.entries(everyday.groups).map(([words, official]) => ({
  words: words.split(', '),
  official: official.split(', '),
}));

/**
 * The everyday words and phrases in the terms of a query. Phrases of more words come first; their words may stand in any
 * order and between others, and two phrases may share some. Other words are read by themselves.
 */
export function everydayReadings(terms: readonly SearchTerm[]): readonly EverydayReading[] {
  const words = terms.map(({ text, phrase }) => (phrase ? '' : text));
  const stems = words.map(stemOf);
  const readings: EverydayReading[] = [];
  const isRead = new Set<number>();
  const read = (all: readonly number[], official: readonly string[] | undefined): void => {
    const positions = all.filter((at) => !isRead.has(at));
    if (official === undefined || positions.length === 0) return;
    readings.push({ positions, isPhrase: all.length > 1, official });
    for (const at of positions) isRead.add(at);
  };
  for (const { positions, official } of phrasesIn(stems)) read(positions, official);
  for (const [at, word] of words.entries()) {
    read([at], officials.get(layersOf(word).find((layer) => officials.has(layer)) ?? ''));
  }
  return readings;
}

/** Phrases with their positions in the stems of a query: those with more words first, then the longer ones. */
function phrasesIn(queryStems: readonly string[]) {
  const letters = new Set(queryStems.map((stem) => stem.charAt(0)));
  return [...letters]
    .flatMap((letter) => phrases.get(letter) ?? [])
    .flatMap(({ words, official }) => {
      const stems = words.map(knownStemOf);
      const positions = stems.map((stem) => queryStems.indexOf(stem));
      return positions.includes(-1) ? [] : [{ positions, official, length: stems.join('').length }];
    })
    .sort((a, b) => b.positions.length - a.positions.length || b.length - a.length);
}

/** A word and what remains of it without one ending after another; one syllable must be known (`밥으로`). */
function layersOf(word: string): string[] {
  const layers = [word];
  for (let bare = withoutEnding(word); bare !== null; bare = withoutEnding(bare)) layers.push(bare);
  const [syllable = ''] = layers.at(-1)!;
  return oneSyllable.test(layers.at(-1)!) && officials.has(syllable)
    ? [...layers, syllable]
    : layers;
}

const oneSyllable = /^[가-힣](?:이|가|을|를|은|는|에|의|도|만|로|으로|에서|이나|까지|에는|한테)$/;

/** The form in which words of phrases are compared. */
function stemOf(word: string): string {
  return verbStem(layersOf(word).at(-1)!);
}

/** The stem that forms of a verb have in common: 버리 of 버리는, 버릴, 버려, 버리려면. */
function verbStem(word: string): string {
  if (word.length < 2) return word;
  const bare = word.replace(verbEnding, '');
  const last = bare.charAt(bare.length - 1);
  const final = finalConsonant(last);
  if (bare.length > 1 && contractions.has(last)) return bare.slice(0, -1) + contractions.get(last)!;
  if (bare !== word) return verbStem(bare);
  if (!verbFinals.has(final)) return word;
  return verbStem(bare.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) - final));
}

const verbEnding = /(?<=.)(?:으?려면|으?려고|는데|는지|는|던|은|을|고|기|면|야|어|아)$/;
const contractions: ReadonlyMap<string, string> = new Map([
  ['려', '리'],
  ['겨', '기'],
  ['져', '지'],
  ['쳐', '치'],
  ['켜', '키'],
]);
/** ㄴ and ㄹ, the endings of 버린 and 버릴. */
const verbFinals: ReadonlySet<number> = new Set([4, 8]);

/** By everyday word, without blanks. */
const officials = new Map<string, readonly string[]>();
for (const { words, official } of everydayGroups) {
  for (const word of words) {
    const typed = word.replaceAll(' ', '');
    const hasItself = official.includes(typed);
    officials.set(typed, hasItself ? official.filter((other) => other !== typed) : official);
  }
}

interface Phrase {
  readonly words: readonly string[];
  readonly official: readonly string[];
}

/** By first letter, which is that of the first stem. Stems are made when they are needed: all would delay the start. */
const phrases = new Map<string, Phrase[]>();
for (const { words, official } of everydayGroups) {
  for (const phrase of words) {
    if (!phrase.includes(' ')) continue;
    const letter = phrase.charAt(0);
    const others = phrases.get(letter) ?? [];
    phrases.set(letter, others);
    others.push({ words: phrase.split(' '), official });
  }
}

const knownStems = new Map<string, string>();

/** The stem of a word in one of the phrases. */
function knownStemOf(word: string): string {
  const stem = knownStems.get(word) ?? stemOf(word);
  knownStems.set(word, stem);
  return stem;
}
