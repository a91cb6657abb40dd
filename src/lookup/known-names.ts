import { romanize } from 'es-hangul';
import { initialsOf, isInitials } from '../data/korean/initials.ts';
import { synonymsOf, synonymWords } from '../data/korean/synonyms.ts';
import { regionTable } from '../data/regions/region-table.ts';
import { perStore } from './per-store.ts';
import type { LookupStore } from './store/store.ts';

/**
 * Names that begin with the given initial consonants (`ㅅㅇㅅ` → `서울시`), likeliest first. A name of just these
 * consonants comes before a longer one: first the subjects of datasets by their records, then regions.
 */
export function namesWithInitials(query: string, store: LookupStore): string[] {
  if (!isInitials(query)) return [];
  const typedInitials = initialsOf(query.replaceAll(' ', ''));
  const records = recordsByName(store);
  const recordsOf = (name: string): number => {
    const known = records.get(name) ?? recordsAbout(name, store);
    records.set(name, known);
    return known;
  };
  const known = knownNames(store)
    .names.filter(({ initials }) => initials.startsWith(typedInitials))
    .slice(0, rankedNamesMax)
    .map((found) => ({ ...found, records: recordsOf(found.name) }));
  return known
    .sort(
      (a, b) =>
        a.initials.length - b.initials.length ||
        likelihoodRank(a) - likelihoodRank(b) ||
        b.records - a.records,
    )
    .slice(0, namesMax)
    .map(({ name }) => name);
}

/** 0 for words that people use for a subject of datasets, then regions, words of titles alone, and other words. */
function likelihoodRank({ kind, records }: NameEntry & { readonly records: number }): number {
  if (kind === 'region') return 1;
  if (records === 0) return 3;
  return kind === 'subject' ? 0 : 2;
}

/** Results of `recordsAbout`. There are as many as known names, at most. */
const recordsByName = perStore(() => new Map<string, number>());

/** Number of records in the real datasets whose title has a word or a synonym of it. */
function recordsAbout(word: string, { topics, axes }: LookupStore): number {
  let records = 0;
  for (const [code, { byTerm }] of topics.subjectsOf([{ text: word, phrase: false }])) {
    const { axis, rows } = axes.get(code)!;
    if (axis.origin !== 'sample' && byTerm[0]?.kind !== 'label') records += rows;
  }
  return records;
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
/** Names whose datasets are counted, the shortest; each costs a look-up. */
const rankedNamesMax = 64;
const divisionsMax = 3;

function isKorean(word: string): boolean {
  return /^[가-힣]+$/.test(word);
}

interface NameEntry {
  readonly name: string;
  readonly initials: string;
  /** A region, a word that people use for a subject, or a word of a title. */
  readonly kind: 'region' | 'subject' | 'title';
}

/** Names that users abbreviate or romanise: regions, kinds of places, keywords of the demand, words of titles. */
const knownNames = perStore((store) => {
  const kinds = new Map<string, NameEntry['kind']>();
  const romanised = new Map<string, string>();
  for (const region of regionTable) {
    if (region.until !== null) continue;
    kinds.set(region.name, 'region');
    const stem = region.level === 'sido' ? region.short : region.name.slice(0, -1);
    for (const name of [region.name, stem]) romanised.set(romanize(name), stem);
    if (region.level !== 'sido') continue;
    kinds.set(region.short, 'region');
    // 경상남도 is never called 경남시.
    if (region.name.endsWith('시')) kinds.set(`${region.short}시`, 'region');
  }
  const add = (name: string, kind: NameEntry['kind']): void => {
    if (!kinds.has(name)) kinds.set(name, kind);
  };
  for (const word of synonymWords) add(word, 'subject');
  for (const { keyword } of store.demand?.items ?? []) add(keyword, 'subject');
  for (const { axis } of store.axes.values()) {
    for (const word of axis.title.split(/[\s()_]+/)) if (word.length > 1) add(word, 'title');
  }
  const names = [...kinds]
    .map(([name, kind]) => ({ name, kind, initials: initialsOf(name.replaceAll(' ', '')) }))
    .sort((a, b) => a.initials.length - b.initials.length);
  const all = { has: (word: string) => kinds.has(word) || synonymsOf(word).length > 0 };
  return { names, romanised, all };
});
