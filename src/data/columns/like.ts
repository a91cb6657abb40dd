import { matchingText } from '../korean/normalise.ts';

/**
 * Returns a test of texts in matching form against a pattern of `like`. `%` stands for any text, `_` for one
 * character, and `\` escapes the next character. Time is at most proportional to the product of both lengths.
 */
export function likeTest(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern);
  const [first, ...others] = parts;
  const isPlain = parts.every((part) => !part.includes(anyCharacter));
  if (isPlain && others.length === 0) return (text) => text === first;
  if (isPlain && parts.length === 3 && first === '' && parts[2] === '') {
    const needle = parts[1]!;
    return (text) => text.includes(needle);
  }
  const units = parts.map((part) => [...part]);
  return (text) => matches([...text], units);
}

/** Beginning of every text that matches a pattern; empty if there is none. */
export function likePrefix(pattern: string): string {
  return partsOf(pattern)[0]!.split(anyCharacter)[0]!;
}

/** Private-use characters that stand for wildcards, because normalisation does not change them. */
const anyText = '\uE000';
const anyCharacter = '\uE001';

/** Texts between the `%` of a pattern, in matching form. */
function partsOf(pattern: string): string[] {
  const marked = pattern.replaceAll(/\\(.)|[%_]/gsu, (sign, escaped: string | undefined) =>
    escaped !== undefined ? escaped : sign === '%' ? anyText : anyCharacter,
  );
  return matchingText(marked).split(anyText);
}

/** True if a text consists of the parts in order, with any text between them. */
function matches(text: readonly string[], parts: readonly (readonly string[])[]): boolean {
  const first = parts[0]!;
  if (parts.length === 1) return text.length === first.length && isAt(text, 0, first);
  const last = parts.at(-1)!;
  if (!isAt(text, 0, first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    while (at + part.length <= text.length && !isAt(text, at, part)) at++;
    at += part.length;
    if (at > text.length) return false;
  }
  const end = text.length - last.length;
  return end >= at && isAt(text, end, last);
}

function isAt(text: readonly string[], at: number, part: readonly string[]): boolean {
  if (at + part.length > text.length) return false;
  return part.every((unit, index) => unit === anyCharacter || unit === text[at + index]);
}
