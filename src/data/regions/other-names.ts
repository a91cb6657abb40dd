import { nameKey } from './name-key.ts';
import { regionByCode, regionTable, type Region } from './region-table.ts';
import { formerNamesOfSido, sidoOfKey } from './sido-names.ts';

/**
 * Other names of the sido that a word names: full, short and former ones (`전북`, `전라북도`). Names of the successors of a
 * merged or divided sido are not among them, because they mean another area.
 */
export function otherSidoNames(word: string): readonly string[] {
  const key = nameKey(word);
  const region = sidoOfKey(key)?.region;
  if (region === undefined) return [];
  const sido = currentRegionOf(region) ?? region;
  let names = namesByCode.get(sido.code);
  if (names === undefined) namesByCode.set(sido.code, (names = namesOf(sido)));
  return names.filter((name) => nameKey(name) !== key);
}

/** The current name of the sigungu that `word` names by a former name, within a sido: 미추홀구 for 인천 남구. */
export function laterSigunguName(sidoWord: string, word: string): string | null {
  const region = sidoOfKey(nameKey(sidoWord))?.region;
  const sido = region === undefined ? null : currentRegionOf(region);
  return sido === null ? null : (laterNames.get(`${sido.code} ${word}`) ?? null);
}

const namesByCode = new Map<string, readonly string[]>();

function namesOf(sido: Region): string[] {
  const former = formerNamesOfSido(sido).filter((name) => {
    const region = sidoOfKey(nameKey(name))?.region;
    return region !== undefined && currentRegionOf(region) === sido;
  });
  return [...new Set([sido.name, sido.short, ...former])].filter((name) => !isSigungu(name));
}

/** True for a name that is also the short name of a sigungu, such as 광주 of 경기 광주시. */
function isSigungu(name: string): boolean {
  return regionTable.some(({ level, short }) => level === 'sigungu' && short === name);
}

/** The region that a region became under another name or code; null if it was merged or divided. */
function currentRegionOf(region: Region): Region | null {
  let later = region;
  while (later.until !== null) {
    const [successor, ...others] = later.successors;
    if (successor === undefined || others.length > 0 || successor.kind !== '1:1') return null;
    later = regionByCode(successor.code)!;
  }
  return later;
}

/** Current names, by the code of the sido and a former name that no current region there has. */
const laterNames: ReadonlyMap<string, string> = new Map(
  regionTable.flatMap((region) => {
    if (region.level !== 'sigungu' || region.until === null) return [];
    const later = currentRegionOf(region);
    if (later === null) return [];
    const sido = later.code.slice(0, 2);
    const isInUse = regionTable.some(
      ({ code, name, until }) => until === null && name === region.name && code.startsWith(sido),
    );
    if (isInUse) return [];
    return [[`${sido} ${region.name}`, later.name] as const];
  }),
);
