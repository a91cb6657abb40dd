import { currentSuccessors, currentSidoCode } from './coverage.ts';
import { nameKey } from './name-key.ts';
import { regionByCode, regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';
import type { MatchedBy, NameMatch } from './sido-names.ts';

/** The current or former sigungu of a sido with the name of a `nameKey`; undefined if there is none or several. */
export function sigunguOfKey(sidoCode: string, key: string): NameMatch | undefined {
  return matchesBySido.get(sidoCode)?.get(key) ?? undefined;
}

/** The sigungu of a full name without its sido; undefined if the name was ever ambiguous (중구, 고성군). */
export function unambiguousSigungu(key: string): NameMatch | undefined {
  const [first, ...others] = allSigunguOfName(key);
  // Addresses of both 광주광역시 and 경기도 begin with 광주시: the parser decides by the next word.
  if (first === undefined || key === '광주시') return undefined;
  return others.every(({ region }) => becameSameRegions(first.region, region)) ? first : undefined;
}

/** Every sigungu that has or had a full name, current ones first. */
export function allSigunguOfName(key: string): readonly NameMatch[] {
  return sigunguByName.get(key) ?? [];
}

/** Sigungu by name; null for a name of several. */
type Names = Map<string, NameMatch | null>;

const matchesBySido = new Map<string, Names>();
const sigunguByName = new Map<string, NameMatch[]>();
buildNames();

/** Adds current names before short and former ones, so that these never replace a current name. */
function buildNames(): void {
  const sigungu = regionTable.filter(({ level }) => level === 'sigungu');
  const current = sigungu.filter(({ until }) => until === null);
  const former = sigungu
    .filter(({ until }) => until !== null)
    .sort((a, b) => ((a.until ?? '') > (b.until ?? '') ? -1 : 1));
  addNames(current, fullNames, 'name');
  addNames(current, shortNames, 'short');
  addNames(former, fullNames, 'former_name');
  addNames(former, shortNames, 'former_name');
}

function addNames(
  regions: readonly Region[],
  namesOf: (region: Region) => string[],
  matchedBy: MatchedBy,
): void {
  const namesBySido = new Map<string, Names>();
  for (const region of regions) {
    for (const key of namesOf(region).map(nameKey)) {
      for (const sido of sidosOf(region)) {
        const names = namesBySido.get(sido) ?? new Map();
        namesBySido.set(sido, names);
        addName(names, key, { region, matchedBy });
      }
      // Short names are too common to be used without a sido: 광주, 장안, 남구.
      if (namesOf === fullNames)
        sigunguByName.set(key, [...allSigunguOfName(key), { region, matchedBy }]);
    }
  }
  for (const [sido, names] of namesBySido) {
    const known = matchesBySido.get(sido) ?? new Map<string, NameMatch | null>();
    matchesBySido.set(sido, known);
    for (const [key, match] of names) if (!known.has(key)) known.set(key, match);
  }
}

function addName(names: Names, key: string, match: NameMatch): void {
  const existing = names.get(key);
  if (existing === undefined) names.set(key, match);
  else if (existing !== null && existing.region.until === null) names.set(key, null);
}

function becameSameRegions(a: Region, b: Region): boolean {
  return (
    successorCodes(a) === successorCodes(b) ||
    currentSuccessors(b).some(({ parent }) => parent === a.code)
  );
}

function successorCodes(region: Region): string {
  return currentSuccessors(region)
    .map(({ code }) => code)
    .join(' ');
}

function fullNames(region: Region): string[] {
  const city = cityOf(region);
  if (city === undefined) return [region.name];
  return [region.name, `${city.short} ${region.short}`];
}

/** Short names such as 성남분당, 분당구, 분당 and 종로, but not 중 for 중구. */
function shortNames(region: Region): string[] {
  const city = cityOf(region);
  if (city === undefined) return [region.short];
  const stem = region.short.slice(0, -1);
  const names = [region.short, `${city.name}${stem}`, `${city.short}${stem}`];
  // 고양시 일산동 is a dong of 일산서구, not a short form of 일산동구.
  if (stem.endsWith('동')) return [region.short];
  return stem.length >= 2 ? [...names, stem] : names;
}

function cityOf(region: Region): Region | undefined {
  return region.parent === null || region.parent.length === 2
    ? undefined
    : regionByCode(region.parent);
}

/** Codes of the sidos with which the name is written: the region's sido, its current sido, and sidos of successors. */
function sidosOf(region: Region): Set<string> {
  const own = region.code.slice(0, 2);
  const successors = currentSuccessors(region).map(({ code }) => code);
  return new Set([own, ...[own, ...successors].map(currentSidoCode)]);
}
