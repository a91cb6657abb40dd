import { matchingText } from '../data/korean/normalise.ts';

/** `[start, end)` in UTF-16 units of the text as it is written. */
export type Range = readonly [start: number, end: number];

/**
 * Ranges of terms in a text as written, although they are found in its normalised form, which may be shorter or
 * longer: `㈜` becomes `(주)`, three jamo become one syllable. In order, never overlapping.
 */
export function matchingRanges(text: string, terms: readonly string[], most: number): Range[] {
  const normalised = matchingText(text);
  const found = terms.flatMap((term) => occurrences(normalised, term, most));
  if (found.length === 0) return [];
  const places = placesOf(text, normalised);
  const ranges = found
    .map(([start, end]): Range => places?.(start, end) ?? [0, text.length])
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return merged(ranges).slice(0, most);
}

function occurrences(text: string, term: string, most: number): Range[] {
  const found: Range[] = [];
  if (term === '') return found;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    found.push([at, at + term.length]);
    if (found.length >= most) break;
  }
  return found;
}

type Place = (start: number, end: number) => Range;

/**
 * Maps positions in the normalised text to positions in the written one; null if there is no such mapping.
 */
function placesOf(text: string, normalised: string): Place | null {
  // Nearly every cell is written in its normal form but for capitals.
  if (normalised.length === text.length && text.toLowerCase() === normalised) {
    return (start, end) => [start, end];
  }
  const starts: number[] = [];
  const ends: number[] = [];
  let written = '';
  for (const { 0: unit, index } of text.matchAll(units)) {
    const part = onlyInvisible.test(unit)
      ? blankOf(unit, written, index + unit.length === text.length)
      : matchingText(unit);
    for (let i = 0; i < part.length; i++) {
      starts.push(index);
      ends.push(index + unit.length);
    }
    written += part;
  }
  if (written !== normalised) return null;
  return (start, end) => [starts[start]!, ends[end - 1]!];
}

/** A run of blanks is one blank, and none at either end. */
function blankOf(run: string, before: string, last: boolean): string {
  return before === '' || last || !/[\s\u0085]/.test(run.replaceAll('\ufeff', '')) ? '' : ' ';
}

const invisible = '\\s\\p{Cc}\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const leading = '\\u1100-\\u115f\\ua960-\\ua97c\\u3131-\\u314e\\uffa0-\\uffbe가-힣';
const vowels = '\\u1160-\\u11a7\\ud7b0-\\ud7c6\\u314f-\\u3163\\uffc2-\\uffdc';
/** ㄳ and its like are final consonants to NFKC, wherever they stand. */
const final = '\\u11a8-\\u11ff\\ud7cb-\\ud7fb\\u3133\\u3135\\u3136\\u313a-\\u3140\\u3144';

const onlyInvisible = new RegExp(`^[${invisible}]+$`, 'u');

/**
 * Units that normalise independently: a run of blanks and invisible characters; the jamo that compose to one
 * syllable; any other character with the marks that follow it.
 */
const units = new RegExp(
  `[${invisible}]+|[${leading}][${vowels}]*[${final}]*\\p{M}*|.[\\p{M}\\uff9e\\uff9f]*`,
  'gsu',
);

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last === undefined || range[0] >= last[1]) result.push(range);
    else if (range[1] > last[1]) result[result.length - 1] = [last[0], range[1]];
  }
  return result;
}
