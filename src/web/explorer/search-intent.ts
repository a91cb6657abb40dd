import type { StoredAxis } from '../../data/axis.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import type { Language } from '../../contract/language.ts';
import { printName } from '../../lookup/where/print.ts';
import type { QueryWords } from './query-words.ts';
import { isMonthOfYear, isYears, keyChoices } from './chart-choices.ts';

/** Words of a query that name a view of data (by month, near me) or its records (100 이상, 많은 순). */
export interface SearchIntent {
  readonly grouping: Grouping | null;
  /** True if records near the reader are wanted. */
  readonly isNear: boolean;
  readonly words: QueryWords;
  /** The query without these words and without the word of the grouping. */
  readonly rest: string;
}

interface Grouping {
  /** The word as the reader knows it, such as 시도별. */
  readonly word: string;
  readonly by: 'sido' | 'sigungu' | 'year' | 'month' | 'day';
}

/** The view that words of a query name, beside the words that were read before. */
export function intentOf(read: QueryWords): SearchIntent {
  const words = read.rest.split(' ');
  const at = words.findIndex((word) => groupingOf(word) !== null);
  const groups = read.amounts?.order?.groups ?? null;
  const ordered = groups === null ? null : { word: groupingWords[groups], by: groups };
  return {
    grouping: at < 0 ? ordered : groupingOf(words[at]!),
    isNear: words.some((word) => nearWord.test(word)),
    words: read,
    rest: (at < 0 ? words : words.toSpliced(at, 1)).join(' '),
  };
}

const groupingWords = {
  sido: '시도별',
  sigungu: '시군구별',
  year: '연도별',
  month: '월별',
} as const;

function groupingOf(word: string): Grouping | null {
  const bare = word.replace(/로$/, '');
  const by = groupings.get(bare);
  return by === undefined ? null : { word: bare, by };
}

const groupings: ReadonlyMap<string, Grouping['by']> = new Map([
  ['시도별', 'sido'],
  ['지역별', 'sido'],
  ['시군구별', 'sigungu'],
  ['자치구별', 'sigungu'],
  ['연도별', 'year'],
  ['년도별', 'year'],
  ['연별', 'year'],
  ['년별', 'year'],
  ['해마다', 'year'],
  ['월별', 'month'],
  ['달마다', 'month'],
  ['매월', 'month'],
  ['일별', 'day'],
  ['날짜별', 'day'],
]);

/** True for a term that is the reader's place: 내, 주변. */
export function isNearTerm({ text }: SearchTerm): boolean {
  return nearWord.test(text) || text === '내' || text === '우리';
}

const nearWord = /^(?:내|우리)?(?:주변|근처|인근|부근)(?:에|의|에서)?$|^가까운$|^near(?:by)?$/i;

/** The key of a chart of a dataset in a grouping; null if it has no such chart. */
export function groupingKey(
  stored: StoredAxis,
  { by }: Grouping,
  language: Language,
): string | null {
  if (by === 'sido' || by === 'sigungu') return stored.regions.length === 0 ? null : `_${by}`;
  const terms = keyChoices({ stored, language }).flatMap(({ choices }) => choices);
  const dated = terms.find(({ term }) => term.startsWith(`${by}(`));
  if (dated !== undefined) return dated.term;
  const parts = by === 'year' ? isYears : by === 'month' ? isMonthOfYear : null;
  const field = parts === null ? undefined : stored.fields.find(parts);
  return field === undefined ? null : printName(field.name);
}
