/**
 * The form in which texts are compared: NFKC, lower case, no control or zero-width characters,
 * one blank for any white space, trimmed. Idempotent; returns the same string when it is in that form.
 */
export function matchingText(text: string): string {
  const traits = traitsOf(text);
  if (traits === normal) return text;
  if ((traits & needsNfkc) !== 0) return fullyNormalised(text);
  const lower = (traits & capital) === 0 ? text : text.toLowerCase();
  return (traits & extraBlank) === 0 ? lower : tidyBlanks(lower);
}

/** The matching text without blanks, for comparing texts that people space differently. */
export function unspacedText(text: string): string {
  return matchingText(text).replaceAll(' ', '');
}

/** A text parameter as the contract reads it: NFC, trimmed, inner blanks collapsed. */
export function parameterText(text: string): string {
  return tidyBlanks(text.normalize('NFC'));
}

const normal = 0;
const capital = 1;
const extraBlank = 2;
const needsNfkc = 4;

/** Scans a text once without allocation: nearly every cell is Hangul syllables, ASCII and Chinese characters. */
function traitsOf(text: string): number {
  let traits = normal;
  let afterBlank = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x20) {
      if (afterBlank) traits |= extraBlank;
      afterBlank = true;
      continue;
    }
    afterBlank = false;
    if (code >= 0xac00 ? code <= 0xd7a3 : code > 0x20 && code < 0x7f) {
      if (code <= 0x5a && code >= 0x41) traits |= capital;
    } else if (!(code >= 0x4e00 && code <= 0x9fff) && code !== 0xb7) {
      return needsNfkc;
    }
  }
  return afterBlank && text.length > 0 ? traits | extraBlank : traits;
}

/** Lower case can undo NFKC and NFKC lower case, so both repeat until nothing changes. */
function fullyNormalised(text: string): string {
  let current = normaliseOnce(text);
  for (let round = 0; round < roundsMax; round++) {
    const next = normaliseOnce(current);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Two rounds suffice for every code point of Unicode 16; the limit prevents an endless loop. */
const roundsMax = 8;

function normaliseOnce(text: string): string {
  // Invisible characters go first: once gone, the jamo around them may compose.
  const visible = text.replace(whiteSpace, ' ').replace(invisible, '');
  return tidyBlanks(visible.normalize('NFKC').toLowerCase());
}

function tidyBlanks(text: string): string {
  return text.replace(blanks, ' ').trim();
}

// U+FEFF counts as white space in JavaScript, but it is a byte order mark: it is removed, not a blank.
const whiteSpace = /[\t-\r\u0085\p{Zs}\u2028\u2029]+/gu;
// oxlint-disable-next-line no-control-regex -- Control characters are what it removes.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200d\u2060\ufeff]+/g;
const blanks = /\s{2,}|[^\S ]/g;
