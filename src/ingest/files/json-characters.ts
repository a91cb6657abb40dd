/**
 * Escapes of a JSON text as the characters they are, in NFC, where one of them is no character (half a
 * surrogate pair, NUL) or may be a decomposed syllable; what is no character becomes U+FFFD, as it does in
 * text that is not escaped. Escapes of ASCII stay, for they may be quotes.
 */
export function mendCharacters(text: string): {
  readonly text: string;
  readonly isBroken: boolean;
} {
  if (!oddEscape.test(text)) return { text, isBroken: false };
  let isBroken = false;
  const literal = text.replace(anyEscape, (escape: string, code: string | undefined) => {
    if (code === undefined) return escape;
    const unit = Number.parseInt(code, 16);
    if (unit === 0) isBroken = true;
    if (unit === 0) return '\ufffd';
    return unit < 0x80 ? escape : String.fromCharCode(unit);
  });
  isBroken ||= !literal.isWellFormed();
  return { text: literal.toWellFormed().normalize('NFC'), isBroken };
}

const oddEscape = /\\u(?:0000|03|11|d[89a-f])/iu;
const anyEscape = /\\(?:u([0-9a-f]{4})|[^])/giu;
