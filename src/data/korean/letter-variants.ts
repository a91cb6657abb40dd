import { finalsCount, initials, vowelsCount } from './jamo.ts';

/** Words that differ from a word in one letter (jamo) of one syllable; none for long words. */
export function* letterVariants(word: string): Generator<string> {
  if (word.length < 2 || word.length > lengthMax) return;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at) - firstSyllable;
    if (code < 0 || code > lastSyllable - firstSyllable) continue;
    for (const variant of syllableVariants(code)) {
      const syllable = String.fromCharCode(firstSyllable + variant);
      yield word.slice(0, at) + syllable + word.slice(at + 1);
    }
  }
}

const lengthMax = 12;
const [firstSyllable, lastSyllable] = [0xac00, 0xd7a3];

/** Unicode numbers a syllable as (initial × 21 + vowel) × 28 + final. */
function* syllableVariants(code: number): Generator<number> {
  const final = code % finalsCount;
  const vowel = Math.floor(code / finalsCount) % vowelsCount;
  const initial = Math.floor(code / (finalsCount * vowelsCount));
  for (let f = 0; f < finalsCount; f++) if (f !== final) yield compose(initial, vowel, f);
  for (let v = 0; v < vowelsCount; v++) if (v !== vowel) yield compose(initial, v, final);
  for (let i = 0; i < initials.length; i++) if (i !== initial) yield compose(i, vowel, final);
}

function compose(initial: number, vowel: number, final: number): number {
  return (initial * vowelsCount + vowel) * finalsCount + final;
}
