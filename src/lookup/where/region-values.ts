import { currentCodes } from '../../data/regions/coverage.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { fullName, regionTable, type Region } from '../../data/regions/region-table.ts';
import { sigunguNamed } from '../../data/regions/sigungu-named.ts';
import { regionSuggestions } from '../region-suggestions.ts';
import { printValue } from './print.ts';
import { whereProblem } from './refusal.ts';
import type { Word } from './syntax.ts';

/**
 * Current codes that a region in a condition stands for. The name of a sigungu stands for every sigungu of that name,
 * that of a city for its districts too. Throws 400 for an unknown region, and for a former one that was divided.
 */
export function regionCodes(
  level: Region['level'],
  { text, position }: Word,
  parameter: string,
): readonly string[] {
  const matches = level === 'sido' ? matchesOf(findRegion(text)) : sigunguMatches(text);
  const regions = matches.flatMap((match) => regionOf(match, level) ?? []);
  if (regions.length > 0) {
    const codes =
      level === 'sido' ? regions.map(({ code }) => code) : regions.flatMap(currentCodes);
    return [...new Set(codes)].sort();
  }
  const parts = matches.flatMap(({ former }) => (former === null ? [] : partsOf(former)));
  const suggestions = (parts.length > 0 ? parts : regionSuggestions(text, undefined)).map(
    printValue,
  );
  const reason = parts.length > 0 ? reasons.divided : reasons.unknown;
  throw whereProblem(parameter, {
    position,
    reason,
    expected: ['value'],
    suggestions,
    value: text,
  });
}

/** Null if current codes of this level do not select exactly the records of the region. */
function regionOf({ sido, sigungu, former }: RegionMatch, level: Region['level']): Region | null {
  if (level === 'sido') return sigungu === null && !isPart(sido, former) ? sido : null;
  return sigungu === null || sigungu.until !== null ? null : sigungu;
}

/** True for a former sido that is a part of the current one, such as 광주광역시. */
function isPart({ code }: Region, former: Region | null): boolean {
  return (
    former !== null && former.successors.some((next) => next.code === code && next.kind === 'n:1')
  );
}

function sigunguMatches(text: string): readonly RegionMatch[] {
  return /^\d+$/.test(text.trim()) ? matchesOf(findRegion(text)) : sigunguNamed(text);
}

function matchesOf(match: RegionMatch | null): RegionMatch[] {
  return match === null ? [] : [match];
}

function partsOf(former: Region): string[] {
  const codes = new Set(currentCodes(former));
  return regionTable
    .filter(({ code, until, level }) => level === 'sigungu' && until === null && codes.has(code))
    .map(fullName);
}

const reasons = {
  unknown: {
    ko: '없는 지역입니다. 이름이나 코드를 확인하세요.',
    en: 'There is no such region. Check its name or code.',
  },
  divided: {
    ko: '지금은 없는 지역입니다. 지금의 시군구를 쓰거나, 매개변수 sido와 sigungu에 옛 이름을 쓰세요.',
    en: 'This region no longer exists. Name current sigungu, or use its name in the parameters sido and sigungu.',
  },
} as const;
