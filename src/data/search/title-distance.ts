import { isDatasetWord } from '../korean/dataset-words.ts';
import type { SearchTerm } from '../korean/terms.ts';
import { endOfField } from './gram.ts';
import { isInLongerWord } from './longer-words.ts';

/** Distance of a synonym: more than the length of nearly every title, so that titles with the word itself come first. */
export const otherWordLength = 1000;

/**
 * Distance of a title from the terms of a query, as a sum over the terms. A term has the distance 0 as a word of the
 * title, a small one in the name of the provider with which the title begins, a large one as a synonym, and the largest
 * as letters inside another word (화재 in 문화재). Titles that lack a topic of the dataset follow those with it.
 */
export function titleDistance(
  recordText: string,
  nameEnd: number,
  terms: readonly TitleTerm[],
): number {
  // The provider is the second field.
  const provider = recordText.slice(nameEnd + 1, endOfField(recordText, nameEnd + 1));
  const subjectStart = provider !== '' && recordText.startsWith(provider) ? provider.length : 0;
  let sum = 0;
  for (const { text, nameSynonyms = [] } of terms) {
    let least = Infinity;
    for (const word of [text, ...nameSynonyms]) {
      const synonymDistance = word.replace(' ', '') === text ? 0 : otherWordLength;
      for (let at = recordText.indexOf(word); at >= 0; at = recordText.indexOf(word, at + 1)) {
        const end = at + word.length;
        if (end > nameEnd) break;
        const isWord = isLatin(word)
          ? !isLatinLetter(recordText, at - 1) && !isLatinLetter(recordText, end)
          : !isInLongerWord(recordText, at, word) &&
            (isWordStart(recordText, at) ||
              isWordEnd(recordText, end) ||
              terms.some((other) => isBeside(recordText, other.text, at, end)));
        const placeDistance = !isWord
          ? 2 * otherWordLength
          : at < subjectStart
            ? providerLength
            : 0;
        least = Math.min(least, synonymDistance + placeDistance);
      }
    }
    sum += least === Infinity ? missingLength : least;
  }
  return sum;
}

/** A term, and the words that mean the same in a title. */
interface TitleTerm extends SearchTerm {
  readonly nameSynonyms?: readonly string[];
}

/** Distance of a word in the name of the provider. */
const providerLength = 10;
/** Distance of a term that the title lacks. */
const missingLength = 10;

/** True if `word` is directly before or after the part of a text from `from` to `to`. */
function isBeside(text: string, word: string, from: number, to: number): boolean {
  return (
    text.startsWith(word, to) || (from >= word.length && text.startsWith(word, from - word.length))
  );
}

/** True for a word such as `ev`, whose letters are in many others (`event`). */
function isLatin(word: string): boolean {
  return /^[a-z]+$/.test(word);
}

/** True for a letter, unless it is the `s` at the end of a plural. */
function isLatinLetter(text: string, at: number): boolean {
  return at >= 0 && /^(?!s(?![a-z]))[a-z]/.test(text.slice(at, at + 2));
}

function isSyllable(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xac00 && code <= 0xd7a3;
}

/** True if a word can begin at a position of a title. */
export function isWordStart(text: string, at: number): boolean {
  return !isSyllable(text, at - 1) || isDatasetWord(text.slice(Math.max(0, at - 2), at));
}

/** True if a word can end at a position of a title. */
export function isWordEnd(text: string, at: number): boolean {
  return !isSyllable(text, at) || isDatasetWord(text.slice(at, at + 2));
}
