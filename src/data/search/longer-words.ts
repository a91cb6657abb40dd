import { regionTable } from '../regions/region-table.ts';
import words from './longer-words.json' with { type: 'json' };

/**
 * True if `word` at a position of a text is only a part of a longer word with another meaning: 화재 in 문화재, 남구 in
 * 강남구. A compound that keeps the meaning, such as 공영주차장 with 주차장, does not count.
 */
export function isInLongerWord(text: string, at: number, word: string): boolean {
  return (longerWords.get(word) ?? []).some(({ longer, from }) =>
    text.startsWith(longer, at - from),
  );
}

/** True if any longer word with another meaning contains `word`. */
export function hasLongerWords(word: string): boolean {
  return longerWords.has(word);
}

interface LongerWord {
  readonly longer: string;
  /** Position of the word in the longer one. */
  readonly from: number;
}

const partLengthMin = 2;
const longerWords = new Map<string, LongerWord[]>();
for (const { word, parts } of words) for (const part of parts) add(part, word, word.indexOf(part));
for (const { level, name } of regionTable) {
  if (level === 'sigungu') addParts(name.split(' ').at(-1)!);
}

/** Adds the parts of a region's name, except for its stem, which names the region, too: 강남. */
function addParts(name: string): void {
  for (let from = 0; from <= name.length - partLengthMin; from++) {
    for (let end = from + partLengthMin; end <= name.length; end++) {
      const isStem = from === 0 && end >= name.length - 1;
      if (!isStem) add(name.slice(from, end), name, from);
    }
  }
}

function add(part: string, longer: string, from: number): void {
  const longerOnes = longerWords.get(part) ?? [];
  if (!longerOnes.some((one) => one.longer === longer))
    longerWords.set(part, [...longerOnes, { longer, from }]);
}
