import { matchingText } from '../data/korean/normalise.ts';
import { isInLongerWord } from '../data/search/longer-words.ts';

/** `[start, end)` in UTF-16 units of the text as it is written. */
export type Range = readonly [start: number, end: number];

/**
 * Ranges of terms in a text as it is written, in order and never overlapping. Terms are found in its normalised
 * form, which may be shorter or longer: `㈜` becomes `(주)`, three jamo become one syllable. An occurrence of a term in
 * `wholeWords` does not count inside a longer word that means something else.
 */
export function matchingRanges(
  text: string,
  terms: readonly string[],
  rangesMax: number,
  wholeWords: ReadonlySet<string> = none,
): readonly Range[] {
  const normalised = matchingText(text);
  const hits: Range[] = [];
  for (const term of terms)
    addOccurrences(hits, normalised, { term, isWhole: wholeWords.has(term) }, rangesMax);
  if (hits.length === 0) return noRanges;
  const mapRange = normalised === text ? null : mappingOf(text, normalised);
  const ranges = mapRange === null ? hits : hits.map(([start, end]): Range => mapRange(start, end));
  if (ranges.length === 1) return ranges;
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return mergeOverlapping(ranges).slice(0, rangesMax);
}

const noRanges: readonly Range[] = [];

const none: ReadonlySet<string> = new Set();

function addOccurrences(
  ranges: Range[],
  text: string,
  { term, isWhole }: { readonly term: string; readonly isWhole: boolean },
  rangesMax: number,
): void {
  if (term === '') return;
  let count = 0;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    if (isWhole && isInLongerWord(text, at, term)) continue;
    ranges.push([at, at + term.length]);
    if (++count >= rangesMax) return;
  }
}

type RangeMapping = (start: number, end: number) => Range;

/** Maps ranges of the normalised text to ranges of the written one, or to the whole if that is impossible. */
function mappingOf(text: string, normalised: string): RangeMapping {
  // Most cells differ from their normalised form in nothing but capital letters.
  if (normalised.length === text.length && text.toLowerCase() === normalised) {
    return (start, end) => [start, end];
  }
  const starts: number[] = [];
  const ends: number[] = [];
  let rebuilt = '';
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const part = invisibleRun.test(cluster)
      ? blankOf(cluster, rebuilt, index + cluster.length === text.length)
      : matchingText(cluster);
    for (let i = 0; i < part.length; i++) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
    rebuilt += part;
  }
  if (rebuilt !== normalised) return () => [0, text.length];
  return (start, end) => [starts[start]!, ends[end - 1]!];
}

/**
 * Normalised form of a run of blanks and invisible characters: one blank, or the empty string if the run has no blank or
 * is at an end of the text.
 */
function blankOf(run: string, textBefore: string, isLast: boolean): string {
  return textBefore === '' || isLast || !/[\s\u0085]/.test(run.replaceAll('\ufeff', '')) ? '' : ' ';
}

const invisible = '\\s\\p{Cc}\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const leading = '\\u1100-\\u115f\\ua960-\\ua97c\\u3131-\\u314e\\uffa0-\\uffbe가-힣';
const vowels = '\\u1160-\\u11a7\\ud7b0-\\ud7c6\\u314f-\\u3163\\uffc2-\\uffdc';
/** Final consonants. They include pairs such as ㄳ, which NFKC turns into final consonants at any position. */
const final = '\\u11a8-\\u11ff\\ud7cb-\\ud7fb\\u3133\\u3135\\u3136\\u313a-\\u3140\\u3144';

const invisibleRun = new RegExp(`^[${invisible}]+$`, 'u');

/**
 * Groups of characters that normalise independently: a run of blanks and invisible characters; the jamo that compose to one
 * syllable; any other character with the marks that follow it.
 */
const clusters = new RegExp(
  `[${invisible}]+|[${leading}][${vowels}]*[${final}]*\\p{M}*|.[\\p{M}\\uff9e\\uff9f]*`,
  'gsu',
);

function mergeOverlapping(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last === undefined || range[0] >= last[1]) result.push(range);
    else if (range[1] > last[1]) result[result.length - 1] = [last[0], range[1]];
  }
  return result;
}
