import { convertHangulToQwerty } from 'es-hangul';
import { finalsCount, initials, withCompatibilityJamo, vowelsCount } from './jamo.ts';
import { unspacedText } from './normalise.ts';

/**
 * The keys of a Korean keyboard that type a text, in lower case and without blanks. Texts that begin alike have keys
 * that begin alike, however many syllables are complete: `도석` (`ehtjr`) is the beginning of `도서관` (`ehtjrhks`).
 */
export function keystrokesOf(text: string): string {
  return keysByUnit(text).join('');
}

/** The keys of each unit of a text without its blanks. */
export function keysByUnit(text: string): string[] {
  return Array.from(withCompatibilityJamo(unspacedText(text)), keysOf);
}

function keysOf(letter: string): string {
  const code = letter.charCodeAt(0) - firstSyllable;
  if (code < 0 || code > lastSyllable - firstSyllable) return jamoKeys.get(letter) ?? letter;
  const vowelAndFinal = code % (vowelsCount * finalsCount);
  return (
    initialKeys[Math.floor(code / (vowelsCount * finalsCount))]! +
    vowelKeys[Math.floor(vowelAndFinal / finalsCount)]! +
    finalKeys[vowelAndFinal % finalsCount]!
  );
}

const [firstSyllable, lastSyllable] = [0xac00, 0xd7a3];

const initialKeys = Array.from(initials, keyOf);
const vowelKeys = Array.from({ length: vowelsCount }, (_, vowel) =>
  keyOf(String.fromCharCode(0x314f + vowel)),
);
/** Keys of the final consonants: those of a syllable without its first two letters (가 is `rk`). */
const finalKeys = Array.from({ length: finalsCount }, (_, final) =>
  keyOf(String.fromCharCode(firstSyllable + final)).slice(2),
);
/** Keys of single letters, ㄱ to ㅣ. */
const jamoKeys = new Map(
  Array.from({ length: 51 }, (_, at) => String.fromCharCode(0x3131 + at)).map((letter) => [
    letter,
    keyOf(letter),
  ]),
);

/** Shift is ignored: ㄲ is typed like ㄱ. */
function keyOf(letter: string): string {
  return convertHangulToQwerty(letter).toLowerCase();
}
