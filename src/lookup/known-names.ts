import { romanize } from 'es-hangul';
import { initialsOf, isInitials } from '../data/korean/initials.ts';
import { synonymsOf } from '../data/korean/synonyms.ts';
import { regionTable } from '../data/regions/region-table.ts';
import { perStore } from './per-store.ts';
import type { LookupStore } from './store/store.ts';

/** Names that begin with the given initial consonants (`ㅅㅇㅅ` → `서울시`), shortest first. */
export function namesWithInitials(query: string, store: LookupStore): string[] {
  if (!isInitials(query)) return [];
  const typedInitials = initialsOf(query.replaceAll(' ', ''));
  return knownNames(store)
    .names.filter(({ initials }) => initials.startsWith(typedInitials))
    .slice(0, namesMax)
    .map(({ name }) => name);
}

/** The query with its words in Latin letters in Korean: regions by their romanised names, and synonyms. */
export function inKorean(query: string, store: LookupStore): string | null {
  const { romanised } = knownNames(store);
  const words = query.toLowerCase().split(' ');
  let isChanged = false;
  const korean: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!/^[a-z-]{3,}$/.test(word)) {
      korean.push(word);
      continue;
    }
    const pair = synonymsOf(word + (words[at + 1] ?? '')).find(isKorean);
    const meant =
      pair ?? synonymsOf(word).find(isKorean) ?? romanised.get(word.replaceAll('-', ''));
    if (pair !== undefined && words[at + 1] !== undefined) at++;
    isChanged ||= meant !== undefined;
    korean.push(meant ?? word);
  }
  return isChanged ? korean.join(' ') : null;
}

/** The query with a word divided in two that are each a known name: `서울도서관` → `서울 도서관`. */
export function divided(query: string, store: LookupStore): string[] {
  const { all } = knownNames(store);
  const words = query.split(' ');
  return words.flatMap((word, at) => {
    const readings: string[] = [];
    for (let end = word.length - 2; end >= 2; end--) {
      const [left, right] = [word.slice(0, end), word.slice(end)];
      const known = Number(all.has(left)) + Number(all.has(right));
      if (known === 2) readings.unshift(words.with(at, `${left} ${right}`).join(' '));
      else if (known === 1) readings.push(words.with(at, `${left} ${right}`).join(' '));
    }
    return readings.slice(0, divisionsMax);
  });
}

const namesMax = 8;
const divisionsMax = 3;

function isKorean(word: string): boolean {
  return /^[가-힣]+$/.test(word);
}

/** Names that users abbreviate or romanise: regions, words of titles, keywords of the demand. */
const knownNames = perStore((store) => {
  const names = new Set<string>();
  const romanised = new Map<string, string>();
  for (const region of regionTable) {
    if (region.until !== null) continue;
    names.add(region.name);
    const stem = region.level === 'sido' ? region.short : region.name.slice(0, -1);
    for (const name of [region.name, stem]) romanised.set(romanize(name), stem);
    if (region.level !== 'sido') continue;
    names.add(region.short);
    // 경상남도 is never called 경남시.
    if (region.name.endsWith('시')) names.add(`${region.short}시`);
  }
  for (const { axis } of store.axes.values()) {
    for (const word of axis.title.split(/[\s()_]+/)) if (word.length > 1) names.add(word);
  }
  for (const { keyword } of store.demand?.items ?? []) names.add(keyword);
  const sorted = [...names]
    .map((name) => ({ name, initials: initialsOf(name.replaceAll(' ', '')) }))
    .sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const all = { has: (word: string) => names.has(word) || synonymsOf(word).length > 0 };
  return { names: sorted, romanised, all };
});
