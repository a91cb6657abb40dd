/**
 * Replaces the conjoining letters (U+1100…) of NFKC by those that a keyboard types (`ㅅㅇㅅ`, U+3131…), so that
 * normalising does not change a query.
 */
export function withCompatibilityJamo(text: string): string {
  return text.replace(conjoining, (letter) => {
    const code = letter.charCodeAt(0);
    if (code >= 0x11a8) return finals.charAt(code - 0x11a8);
    return code >= 0x1161 ? vowels.charAt(code - 0x1161) : initials.charAt(code - 0x1100);
  });
}

/** The nineteen consonants a syllable can begin with, in the order Unicode counts them. */
export const initials = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';

/** Number of a syllable's final consonant in Unicode; 0 without one, -1 if it is no Hangul syllable. */
export function finalConsonant(syllable: string): number {
  const code = syllable.charCodeAt(0);
  return code >= 0xac00 && code <= 0xd7a3 ? (code - 0xac00) % 28 : -1;
}

/** Number of vowels, and of final consonants including none, in the Unicode order of syllables. */
export const vowelsCount = 21;
export const finalsCount = 28;

const vowels = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ';
const finals = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';
const conjoining = /[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]/g;
