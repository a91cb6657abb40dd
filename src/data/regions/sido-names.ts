import { isPart } from './coverage.ts';
import { regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';
import { nameKey } from './name-key.ts';

export type MatchedBy = 'name' | 'short' | 'alias' | 'former_name' | 'code';

export interface NamedRegion {
  readonly region: Region;
  readonly matchedBy: MatchedBy;
}

/** The sido that a `nameKey` means, today or once; the region is the one that bore the name. */
export function sidoOfKey(key: string): NamedRegion | undefined {
  return names.get(key);
}

/** Names a living sido bore before, for people: `강원도` of 강원특별자치도. */
export function formerNames(sido: Region): string[] {
  const before = regionTable.filter(
    (region) => region.level === 'sido' && region.successors.some(({ code }) => code === sido.code),
  );
  const older = otherNames.filter(([code, , kind]) => code === sido.code && kind === 'former_name');
  return [...before.map(({ name }) => name), ...older.map(([, name]) => name)];
}

/** Names that are missing in the code table but are in common use, or in other systems. */
const otherNames: readonly (readonly [code: string, name: string, kind: MatchedBy])[] = [
  ['11', '서울시', 'alias'],
  ['12', '전남광주시', 'alias'],
  ['12', '전남광주특별시', 'alias'],
  ['12', '광주전남통합특별시', 'alias'],
  ['12', '광주전남', 'alias'],
  ['26', '부산시', 'alias'],
  ['26', '부산직할시', 'former_name'],
  ['27', '대구시', 'alias'],
  ['27', '대구직할시', 'former_name'],
  ['28', '인천시', 'alias'],
  ['28', '인천직할시', 'former_name'],
  // The bus service writes 광주시 for the metropolitan city; 경기 광주시 is a sigungu.
  ['29', '광주시', 'former_name'],
  ['29', '광주직할시', 'former_name'],
  ['30', '대전시', 'alias'],
  ['30', '대전직할시', 'former_name'],
  ['31', '울산시', 'alias'],
  ['36', '세종시', 'alias'],
  ['36', '세종특별시', 'alias'],
  ['36', '세종자치시', 'alias'],
  ['43', '충북도', 'alias'],
  ['44', '충남도', 'alias'],
  ['46', '전남도', 'former_name'],
  ['47', '경북도', 'alias'],
  ['48', '경남도', 'alias'],
  ['50', '제주자치도', 'alias'],
  ['52', '전북도', 'alias'],
];

const names: ReadonlyMap<string, NamedRegion> = buildNames();

/** Living names first: 강원 is the short name of today's sido, and was that of the one before. */
function buildNames(): Map<string, NamedRegion> {
  const built = new Map<string, NamedRegion>();
  const add = (name: string, region: Region, matchedBy: MatchedBy): void => {
    const key = nameKey(name);
    if (!built.has(key)) built.set(key, { region, matchedBy });
  };
  const sidos = regionTable.filter(({ level }) => level === 'sido');
  for (const sido of sidos.filter(({ until }) => until === null)) {
    add(sido.name, sido, 'name');
    add(sido.short, sido, 'short');
  }
  for (const sido of sidos.filter(({ until }) => until !== null)) {
    add(sido.name, sido, 'former_name');
    if (isPart(sido)) add(sido.short, sido, 'former_name');
  }
  for (const [code, name, kind] of otherNames) {
    const sido = sidos.find((region) => region.code === code);
    if (sido !== undefined) add(name, sido, kind);
  }
  return built;
}
