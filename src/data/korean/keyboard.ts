import { convertHangulToQwerty, convertQwertyToHangul } from 'es-hangul';
import { withCompatibilityJamo } from './jamo.ts';

/**
 * Corrects a text typed in the wrong keyboard language: `rkdska` → `강남`, `ㅗ디ㅣㅐ` → `hello`. Null if it does not
 * look like such a slip.
 */
export function keyboardSlip(text: string): string | null {
  const typed = withCompatibilityJamo(text.normalize('NFC'));
  if (latinWord.test(typed)) return slipToHangul(typed);
  return bareJamo.test(typed) ? convertHangulToQwerty(typed) : null;
}

/** Limit on the keys of a word, because the time to join keys to syllables grows with their square. */
const wordKeysMax = 40;

/** Converts Latin keys to Hangul. Capitals matter, as shift makes ㄲ of ㄱ, unless caps lock was on. */
function slipToHangul(typed: string): string | null {
  const keys = /[a-z]/.test(typed) ? typed : typed.toLowerCase();
  const meant = hangulOfKeys(keys);
  return meant === null || bareJamo.test(meant) || latin.test(meant) ? null : meant;
}

/**
 * The text that Latin keys type on a Korean keyboard; null for a word of more than 40 keys, and for successive vowels
 * that do not join (`yhoq`).
 */
export function hangulOfKeys(keys: string): string | null {
  const words = keys.split(' ');
  if (words.some(({ length }) => length > wordKeysMax)) return null;
  try {
    return words.map((word) => convertQwertyToHangul(word)).join(' ');
  } catch {
    // es-hangul throws for such vowels, which no Korean word has.
    return null;
  }
}

const latinWord = /[a-z]{2}/i;
const latin = /[a-z]/i;
/** Letters that form no syllable: real Korean text has none, a slip nearly always has one. */
const bareJamo = /[\u3131-\u3163]/;
