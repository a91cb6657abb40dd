import { initials as initialConsonants, finalsCount, vowelsCount } from '../korean/jamo.ts';
import { gramKind, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { nameOccurrences } from './name-occurrences.ts';

/**
 * Finds words of names whose syllables have the given initial consonants, at least two, the most frequent first. The
 * dictionary of a chunk is sorted, so that the keys of all syllables with one initial are a range. A look-up of a range
 * finds the beginnings of words, and one for each further syllable continues them.
 */
export function* wordsWithInitials(
  chunks: readonly SearchChunk[],
  initials: string,
): Generator<void, string[]> {
  const counts = new Map<string, number>();
  if (initials.length < 2 || initials.length > initialsMax) return [];
  const readMax = Math.max(readWordsMin, Math.floor(readWordsMax / chunks.length));
  for (const chunk of chunks) {
    const words = yield* likelyWords(chunk, initials);
    for (const word of words.slice(0, readMax)) {
      counts.set(word, (counts.get(word) ?? 0) + nameOccurrences(chunk, word, sampleMax));
      yield;
    }
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, wordsMax)
    .map(([word]) => word);
}

const initialsMax = 12;
const wordsMax = 8;
/** Names read for each word in each chunk. */
const sampleMax = 16;
/** Words whose names are counted: in all chunks together, and at least in each chunk. */
const readWordsMax = 128;
const readWordsMin = 32;
/** Limit on beginnings that are continued with the next syllable. */
const beginningsMax = 256;

/** Words that names may contain, the likeliest first: any three successive syllables of them occur in a name. */
function* likelyWords(chunk: SearchChunk, initials: string): Generator<void, string[]> {
  let words = yield* beginnings(chunk, Array.from(initials.slice(0, 3), syllablesOf));
  for (const next of Array.from(initials.slice(3), syllablesOf)) {
    words.sort((a, b) => b.count - a.count);
    words = words.slice(0, beginningsMax).flatMap(({ word, count }) => {
      const [a, b] = [word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1)];
      const low = (b << 16) >>> 0;
      return chunk
        .keysBetween(nameKey(a, low + next.from), nameKey(a, low + next.to))
        .map((found) => ({
          word: word + String.fromCharCode(found.key.low & 0xffff),
          count: Math.min(count, found.count),
        }));
    });
    yield;
  }
  words.sort((a, b) => b.count - a.count);
  return words.map(({ word }) => word);
}

/** The first two or three syllables of words. */
function* beginnings(
  chunk: SearchChunk,
  [first, second, third]: readonly Syllables[],
): Generator<void, Beginning[]> {
  const found: Beginning[] = [];
  for (let { from } = first!; from <= first!.to; from += finalsCount) {
    const to = nameKey(from + finalsCount - 1, 0xffff_ffff);
    for (const { key, count } of chunk.keysBetween(nameKey(from, 0), to)) {
      const [a, b, c] = [key.high & 0xffff, key.low >>> 16, key.low & 0xffff];
      if (!isWithin(b, second!) || (third === undefined ? c !== 0 : !isWithin(c, third))) continue;
      const units = third === undefined ? [a, b] : [a, b, c];
      found.push({ word: String.fromCharCode(...units), count });
    }
    yield;
  }
  return found;
}

interface Beginning {
  readonly word: string;
  /** Upper bound on the number of names. */
  readonly count: number;
}

/** Range of the syllables with one initial consonant, as UTF-16 units. */
interface Syllables {
  readonly from: number;
  readonly to: number;
}

function syllablesOf(initial: string): Syllables {
  const from = 0xac00 + initialConsonants.indexOf(initial) * syllablesPerInitial;
  return { from, to: from + syllablesPerInitial - 1 };
}

const syllablesPerInitial = vowelsCount * finalsCount;

function isWithin(unit: number, { from, to }: Syllables): boolean {
  return unit >= from && unit <= to;
}

function nameKey(unit: number, low: number): GramKey {
  return { high: (gramKind.name << 16) | unit, low };
}
