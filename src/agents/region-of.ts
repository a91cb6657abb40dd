import { findRegion, type RegionMatch } from '../data/regions/find-region.ts';
import { fullName } from '../data/regions/region-table.ts';
import { sigunguNamed } from '../data/regions/sigungu-named.ts';
import { Problem } from '../kernel/problem.ts';
import { inKorean } from '../lookup/known-names.ts';
import { regionSuggestions } from '../lookup/region-suggestions.ts';
import type { LookupStore } from '../lookup/store/store.ts';

/** A region: the parameters by which endpoints find it, and the match in the table of regions. */
interface NamedRegion {
  readonly sido: string;
  readonly sigungu?: string;
  readonly match: RegionMatch;
}

/**
 * The one region that a name means: `강남구`, `서울 강남구`, `분당구`, `광주광역시`, `Gangnam-gu`. Throws 400 for an unknown
 * name, and for one that several regions share, such as `중구`.
 */
export function requireRegion(given: string, store: LookupStore): NamedRegion {
  const name = inKorean(given, store) ?? given;
  const match = findRegion(name);
  if (match !== null) return { sido: name, match };
  const found = sigunguNamed(name).map((one): NamedRegion => ({
    sido: one.sido.name,
    sigungu: name,
    match: one,
  }));
  const [first, ...others] = found;
  if (first === undefined) throw unknownRegion(name);
  if (others.length > 0) throw severalRegions(name, found);
  return first;
}

function unknownRegion(name: string): Problem {
  const suggestions = regionSuggestions(name, undefined).slice(0, 3);
  return new Problem(
    'invalid_parameter',
    {
      ko: '없는 지역입니다. 이름이나 코드를 확인하세요.',
      en: 'No region has this name. Use a Korean name of a 시도 or 시군구, or its code.',
    },
    { extra: { suggestions } },
  );
}

function severalRegions(name: string, found: readonly NamedRegion[]): Problem {
  const suggestions = found.map(({ match: { sigungu, sido } }) => fullName(sigungu ?? sido));
  return new Problem(
    'invalid_parameter',
    {
      ko: `이름이 ${name}인 지역이 여러 곳입니다. 시도를 함께 쓰세요.`,
      en: `Several regions are named ${name}. Name the 시도 too.`,
    },
    { extra: { suggestions: suggestions.slice(0, suggestionsMax) } },
  );
}

/** Suggestions at most. Fewer regions share a name today. */
const suggestionsMax = 8;
