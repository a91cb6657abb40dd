import type { StoredAxis } from '../../data/axis.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { nearestFew } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { nearCodes } from '../../lookup/refusals.ts';
import { regionSuggestions } from '../../lookup/region-suggestions.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { datasetPath, regionPath } from './paths.ts';
import { namedRegion } from './query-region.ts';

/** The stored axis of a code in a page's address; 404 with the addresses of the nearest ones. */
export function requireDataset(code: string, store: LookupStore): StoredAxis {
  const stored = store.axes.get(code);
  if (stored !== undefined) return stored;
  const detail = {
    ko: `${code} 데이터셋이 없습니다. 주소를 확인하거나 아래에서 고르세요.`,
    en: `There is no dataset ${code}. Check the address or choose one of these.`,
  };
  const suggestions = nearDatasets(code, store).map((near) => datasetPath(near));
  throw new Problem('not_found', detail, { extra: { suggestions } });
}

/** Codes of the three axes whose code or title is nearest. */
function nearDatasets(code: string, store: LookupStore): string[] {
  const axes = [...store.axes.values()];
  const titled = axes.filter(({ axis }) => axis.title.includes(code));
  const titles = nearestFew(
    code,
    axes.map(({ axis }) => axis.title),
    suggestionsMax,
  );
  const near = axes.filter(({ axis }) => titles.includes(axis.title));
  const codes = [...titled, ...near].map(({ axis }) => axis.code);
  const largest = axes.sort((a, b) => b.rows - a.rows).map(({ axis }) => axis.code);
  return [...new Set([...nearCodes(code, store), ...codes, ...largest])].slice(0, suggestionsMax);
}

const suggestionsMax = 3;

/** The region of a code or name in a page's address; 404 with addresses for the nearest ones, by default their pages. */
export function requireRegion(
  code: string,
  targetOf: (code: string) => string = regionPath,
): RegionMatch {
  const match = findRegion(code);
  if (match !== null) return match;
  const detail = {
    ko: `${code} 지역이 없습니다. 주소를 확인하거나 아래에서 고르세요.`,
    en: `There is no region ${code}. Check the address or choose one of these.`,
  };
  // A code that does not exist may begin with the code of a province.
  const near = [...regionSuggestions(code, undefined), code.slice(0, 2)].flatMap((text) => {
    const found = findRegion(text);
    return found === null ? [] : [targetOf(namedRegion(found).code)];
  });
  throw new Problem('not_found', detail, {
    extra: { suggestions: near.length === 0 ? ['/#regions'] : [...new Set(near)] },
  });
}
