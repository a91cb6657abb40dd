import { livingEnds, sidoCodeOf } from './coverage.ts';
import { nameKey } from './name-key.ts';
import { regionByCode, regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';
import type { MatchedBy, NamedRegion } from './sido-names.ts';

/** The sigungu a name (as `nameKey`) means within a sido, living or former, by the sido's code. */
export function sigunguOfKey(sidoCode: string, key: string): NamedRegion | undefined {
  return bySido.get(sidoCode)?.get(key) ?? undefined;
}

/** The sigungu a full name means without its sido; undefined when it was ever ambiguous (중구, 고성군). */
export function sigunguAnywhere(key: string): NamedRegion | undefined {
  const [first, ...others] = sigunguEverywhere(key);
  // 광주시 begins addresses of 광주광역시 as often as those of 경기도: the parser decides by what follows.
  if (first === undefined || key === '광주시') return undefined;
  return others.every(({ region }) => sameEnds(first.region, region)) ? first : undefined;
}

/** Every sigungu that bears or bore a full name, living ones first. */
export function sigunguEverywhere(key: string): readonly NamedRegion[] {
  return anywhere.get(key) ?? [];
}

/** Null marks a name of several regions. */
type Names = Map<string, NamedRegion | null>;

const bySido = new Map<string, Names>();
const anywhere = new Map<string, NamedRegion[]>();
buildNames();

/** In four rounds, so that a living name is never hidden by a short or a former one. */
function buildNames(): void {
  const sigungu = regionTable.filter(({ level }) => level === 'sigungu');
  const living = sigungu.filter(({ until }) => until === null);
  const former = sigungu
    .filter(({ until }) => until !== null)
    .sort((a, b) => ((a.until ?? '') > (b.until ?? '') ? -1 : 1));
  addRound(living, fullNames, 'name');
  addRound(living, shortNames, 'short');
  addRound(former, fullNames, 'former_name');
  addRound(former, shortNames, 'former_name');
}

function addRound(
  regions: readonly Region[],
  namesOf: (region: Region) => string[],
  matchedBy: MatchedBy,
): void {
  const round = new Map<string, Names>();
  for (const region of regions) {
    for (const key of namesOf(region).map(nameKey)) {
      for (const sido of sidosOf(region)) {
        const names = round.get(sido) ?? new Map();
        round.set(sido, names);
        put(names, key, { region, matchedBy });
      }
      // Short names are too common to stand alone: 광주, 장안, 남구.
      if (namesOf === fullNames)
        anywhere.set(key, [...sigunguEverywhere(key), { region, matchedBy }]);
    }
  }
  for (const [sido, names] of round) {
    const known = bySido.get(sido) ?? new Map<string, NamedRegion | null>();
    bySido.set(sido, known);
    for (const [key, named] of names) if (!known.has(key)) known.set(key, named);
  }
}

function put(names: Names, key: string, named: NamedRegion): void {
  const before = names.get(key);
  if (before === undefined) names.set(key, named);
  else if (before !== null && before.region.until === null) names.set(key, null);
}

function sameEnds(a: Region, b: Region): boolean {
  return endCodes(a) === endCodes(b) || livingEnds(b).some(({ parent }) => parent === a.code);
}

function endCodes(region: Region): string {
  return livingEnds(region)
    .map(({ code }) => code)
    .join(' ');
}

function fullNames(region: Region): string[] {
  const city = cityOf(region);
  if (city === undefined) return [region.name];
  return [region.name, `${city.short} ${region.short}`];
}

/** 성남분당, 분당구, 분당 and 종로, but no 중 for 중구. */
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

/** Every sido under which the name is written: its own, today's, and those its parts went to. */
function sidosOf(region: Region): Set<string> {
  const own = region.code.slice(0, 2);
  return new Set([own, sidoCodeOf(own), ...livingEnds(region).map(({ code }) => sidoCodeOf(code))]);
}
