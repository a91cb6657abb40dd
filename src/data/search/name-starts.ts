import { assemble, disassemble } from 'es-hangul';
import { finalConsonant, finalsCount, initials, vowelsCount } from '../korean/jamo.ts';
import { gramKind, type GramKey } from './gram.ts';

/** Keys of the index from the first to the last, both included; they are neighbours in the dictionary of a chunk. */
interface KeyRange {
  readonly from: GramKey;
  readonly to: GramKey;
}

/**
 * Keys of the names that may begin with a word whose last syllable is incomplete: `도석` begins 도석 and, as its last
 * consonant may begin the next syllable, 도서관. A name with one of the keys need not begin with the word.
 */
export function nameStartRanges(word: string): KeyRange[] {
  const begun = Array.from({ length: Math.min(word.length, unitsMax) }, (_, at) =>
    oneUnit(word.charCodeAt(at)),
  );
  if (word.length > unitsMax) return [rangeOf(begun)];
  return continuations(begun.pop()![0]).flatMap((ends) => {
    const [first, ...others] = [...begun, ...ends].slice(0, unitsMax);
    const [from, to] = first!;
    // Keys with different first units are far apart in the dictionary; a lone consonant has too many.
    if (to - from >= syllablesOfInitial - 1) return [];
    const length = Math.min(to - from + 1, finalsCount);
    return Array.from({ length }, (_, at) => rangeOf([oneUnit(from + at), ...others]));
  });
}

/** UTF-16 units from the first to the last that may stand at a place. */
type Units = readonly [from: number, to: number];

const unitsMax = 3;
const firstSyllable = 0xac00;
const syllablesOfInitial = vowelsCount * finalsCount;

/** Ways in which an incomplete unit goes on: within its syllable, or with its last consonant in the next one. */
function continuations(unit: number): Units[][] {
  const letter = String.fromCharCode(unit);
  const initial = initials.indexOf(letter);
  if (initial >= 0) return [[syllablesFrom(initial)]];
  const final = finalConsonant(letter);
  if (final < 0) return [[oneUnit(unit)]];
  if (final === 0) {
    const vowel = Math.floor((unit - firstSyllable) / finalsCount) % vowelsCount;
    return [[[unit, unit + (longerVowels.get(vowel) ?? 0) * finalsCount + finalsCount - 1]]];
  }
  const letters = Array.from(disassemble(letter));
  const moved = initials.indexOf(letters.pop()!);
  const within: Units[] = [[unit, unit + (longerFinals.get(final) ?? 0)]];
  return [within, [oneUnit(assemble(letters).charCodeAt(0)), syllablesFrom(moved)]];
}

/** Compound letters that follow the one they begin with: ㅘ ㅙ ㅚ after ㅗ, ㄳ after ㄱ. */
const longerVowels: ReadonlyMap<number, number> = new Map([
  [8, 3],
  [13, 3],
  [18, 1],
]);
const longerFinals: ReadonlyMap<number, number> = new Map([
  [1, 2],
  [4, 2],
  [8, 7],
  [17, 1],
]);

function oneUnit(unit: number): Units {
  return [unit, unit];
}

function syllablesFrom(initial: number): Units {
  const from = firstSyllable + initial * syllablesOfInitial;
  return [from, from + syllablesOfInitial - 1];
}

/** Keys of one first unit, and of the units that may follow. A range of second units has all of their third ones. */
function rangeOf([first, second, third]: readonly Units[]): KeyRange {
  const high = (gramKind.nameStart << 16) | first![0];
  if (second === undefined) return { from: { high, low: 0 }, to: { high, low: 0 } };
  const isOneSecond = third !== undefined && second[0] === second[1];
  const from = lowOf(second[0], isOneSecond ? third[0] : 0);
  return {
    from: { high, low: from },
    to: { high, low: lowOf(second[1], isOneSecond ? third[1] : 0xffff) },
  };
}

function lowOf(second: number, third: number): number {
  return ((second << 16) | third) >>> 0;
}
