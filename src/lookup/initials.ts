import { initialsOf, isInitials } from '../data/korean/initials.ts';
import { regionTable } from '../data/regions/region-table.ts';
import { perStore } from './per-store.ts';
import type { LookupStore } from './store/store.ts';

/** Names that begin with the given initial consonants (`ㅅㅇㅅ` → `서울시`), shortest first. */
export function initialsSuggestions(query: string, store: LookupStore): string[] {
  if (!isInitials(query)) return [];
  const typedInitials = initialsOf(query.replaceAll(' ', ''));
  return knownNames(store)
    .filter(({ initials }) => initials.startsWith(typedInitials))
    .slice(0, suggestionsMax)
    .map(({ name }) => name);
}

const suggestionsMax = 8;

/** Names that users abbreviate: regions, words of titles, keywords of the demand. */
const knownNames = perStore((store) => {
  const names = new Set<string>();
  for (const region of regionTable) {
    if (region.until !== null) continue;
    names.add(region.name);
    if (region.level !== 'sido') continue;
    names.add(region.short);
    // 경상남도 is never called 경남시.
    if (region.name.endsWith('시')) names.add(`${region.short}시`);
  }
  for (const { axis } of store.axes.values()) {
    for (const word of axis.title.split(/[\s()_]+/)) if (word.length > 1) names.add(word);
  }
  for (const { keyword } of store.demand?.items ?? []) names.add(keyword);
  return [...names]
    .map((name) => ({ name, initials: initialsOf(name.replaceAll(' ', '')) }))
    .sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
});
