import { assemble, disassemble } from 'es-hangul';
import { finalConsonant, finalsCount, initials, vowelsCount } from '../korean/jamo.ts';
import { gramKind, type GramKey } from './gram.ts';

/** Consecutive keys in the dictionary of a chunk, both ends included. */
interface KeyRange {
  readonly from: GramKey;
  readonly to: GramKey;
}

/**
 * Keys of the names that may begin with a word that is being typed. Its last syllable may be incomplete: `도석` may
 * become 도석, or 도서관, because its last consonant may begin the next syllable. A name with one of the keys need not
 * begin with the word.
 */
export function nameStartRanges(word: string): KeyRange[] {
  const typedUnits = Array.from({ length: Math.min(word.length, unitsMax) }, (_, at) =>
    oneUnit(word.charCodeAt(at)),
  );
  if (word.length > unitsMax) return [rangeOf(typedUnits)];
  return continuations(typedUnits.pop()![0]).flatMap((ends) => {
    const [first, ...others] = [...typedUnits, ...ends].slice(0, unitsMax);
    const [from, to] = first!;
    // Keys with different first units are far apart in the dictionary; a lone consonant has too many.
    if (to - from >= syllablesPerInitial - 1) return [];
    const length = Math.min(to - from + 1, finalsCount);
    return Array.from({ length }, (_, at) => rangeOf([oneUnit(from + at), ...others]));
  });
}

/** Range of UTF-16 units, both ends included. */
type UnitRange = readonly [from: number, to: number];

const unitsMax = 3;
const firstSyllable = 0xac00;
const syllablesPerInitial = vowelsCount * finalsCount;

/** Ways to complete a unit: within its syllable, or with its last consonant as the start of the next syllable. */
function continuations(unit: number): UnitRange[][] {
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
  const within: UnitRange[] = [[unit, unit + (longerFinals.get(final) ?? 0)]];
  return [within, [oneUnit(assemble(letters).charCodeAt(0)), syllablesFrom(moved)]];
}

/** Number of compound letters that follow the letter with which they begin: ㅘ ㅙ ㅚ after ㅗ, ㄳ after ㄱ. */
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

function oneUnit(unit: number): UnitRange {
  return [unit, unit];
}

function syllablesFrom(initial: number): UnitRange {
  const from = firstSyllable + initial * syllablesPerInitial;
  return [from, from + syllablesPerInitial - 1];
}

/** Keys of one first unit and a range of second units. The third unit is restricted only if there is one second unit. */
function rangeOf([first, second, third]: readonly UnitRange[]): KeyRange {
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
