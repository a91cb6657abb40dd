import type { Row, Value } from '../data/axis.ts';
import type { SearchTerm } from '../data/korean/terms.ts';
import { matchingRanges, type Range } from './matching-ranges.ts';

interface Match {
  readonly field: string;
  readonly label: string;
  readonly snippet: string;
  readonly ranges: readonly Range[];
}

/** Matches of a record: by field, with enough text around each to judge it. */
export function matchesOf(
  record: Row,
  fields: readonly { readonly name: string; readonly label: string }[],
  terms: readonly SearchTerm[],
): Match[] {
  const texts = terms.map(({ text }) => text);
  const found: Match[] = [];
  for (const { name, label } of fields) {
    if (found.length >= matchesMax) break;
    const text = textOf(record[name] ?? null);
    const ranges = matchingRanges(text, texts, rangesMax);
    if (ranges.length > 0) found.push({ field: name, label, ...snippetOf(text, ranges) });
  }
  return found;
}

const matchesMax = 8;
const rangesMax = 16;
const snippetLengthMax = 160;
const lengthBeforeMax = 40;

function textOf(value: Value): string {
  return typeof value === 'string' ? value : value === null ? '' : String(value);
}

/** Text from shortly before the first match on; matches that do not fit are left out. */
function snippetOf(text: string, ranges: readonly Range[]): Pick<Match, 'snippet' | 'ranges'> {
  if (text.length <= snippetLengthMax) return { snippet: text, ranges };
  const [first, firstEnd] = ranges[0]!;
  const from = wholeCharacter(text, Math.max(0, first - lengthBeforeMax));
  const until = wholeCharacter(text, Math.max(from + snippetLengthMax, firstEnd));
  return {
    snippet: text.slice(from, until),
    ranges: ranges
      .filter(([, end]) => end <= until)
      .map(([start, end]): Range => [start - from, end - from]),
  };
}

/** Not between the two halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
