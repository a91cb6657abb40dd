import { initials, withCompatibilityJamo } from './jamo.ts';

/** Replaces every syllable by its initial consonant (`서울시` → `ㅅㅇㅅ`); other characters stay. */
export function initialsOf(text: string): string {
  return withCompatibilityJamo(text).replace(syllable, (letter) =>
    initials.charAt(Math.floor((letter.charCodeAt(0) - 0xac00) / 588)),
  );
}

/** True if a text has only initial consonants and blanks, as in `ㅅㅇㅅ`. */
export function isInitials(text: string): boolean {
  return onlyInitials.test(withCompatibilityJamo(text));
}

const syllable = /[\uac00-\ud7a3]/g;
const onlyInitials = new RegExp(`^\\s*[${initials}][${initials}\\s]*$`);
