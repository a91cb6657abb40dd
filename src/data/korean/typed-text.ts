import { initialsOf, isInitials } from './initials.ts';
import { withCompatibilityJamo } from './jamo.ts';
import { hangulOfKeys } from './keyboard.ts';
import { keystrokesOf } from './keystrokes.ts';
import { matchingText } from './normalise.ts';

/** A text that a user is still typing. */
export interface TypedText {
  /** Normalised; the last syllable may be incomplete. */
  readonly text: string;
  readonly keys: string;
  /** Initial consonants, if the text has nothing else. */
  readonly initials: string | null;
}

/**
 * Readings of a text that is being typed, likeliest first: as it is, with the keyboard in the other language, and
 * without a surplus last consonant (`도섟`).
 */
export function typedReadings(typed: string): TypedText[] {
  const text = withCompatibilityJamo(matchingText(typed));
  const texts = new Set([text, ...otherKeyboard(text), ...withoutLastKey(text)]);
  return [...texts].filter((one) => one !== '').map(typedText);
}

/** True if a name begins with the typed text. */
export function isStartOf({ keys, initials }: TypedText, name: string): boolean {
  return (
    keystrokesOf(name).startsWith(keys) ||
    (initials !== null && initialsOf(name.replaceAll(' ', '')).startsWith(initials))
  );
}

function typedText(text: string): TypedText {
  const unspaced = text.replaceAll(' ', '');
  return {
    text,
    keys: keystrokesOf(text),
    initials: isInitials(unspaced) ? unspaced : null,
  };
}

/** The text with its keys in the other language, if these are words: `ehtj` → `도서`, `ㅗ디` → `hel`. */
function otherKeyboard(text: string): string[] {
  if (/[a-z]/.test(text)) {
    const meant = hangulOfKeys(text) ?? '';
    return /^[가-힣 ]+[ㄱ-ㅎ]?$/.test(meant) || isInitials(meant) ? [meant] : [];
  }
  return /[ㅏ-ㅣ]|[ㄱ-ㅎ]{2}/.test(text) ? [keystrokesWithBlanks(text)] : [];
}

function keystrokesWithBlanks(text: string): string {
  return text.split(' ').map(keystrokesOf).join(' ');
}

/** The text without its last consonant, if that follows another consonant. */
function withoutLastKey(text: string): string[] {
  const last = text.at(-1) ?? '';
  const keys = keystrokesOf(last);
  if (/^[가-힣]$/.test(last) && doubleConsonant.test(keys)) {
    return [text.slice(0, -1) + (hangulOfKeys(keys.slice(0, -1)) ?? '')];
  }
  return /[가-힣][ㄱ-ㅎ]{2,}$/.test(text) ? [text.slice(0, -1)] : [];
}

const doubleConsonant = /[qwertasdfgzxcv]{2}$/;
