import { isMergedSido } from './coverage.ts';
import { regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';
import { nameKey } from './name-key.ts';

export type MatchedBy = 'name' | 'short' | 'alias' | 'former_name' | 'code';

export interface NameMatch {
  readonly region: Region;
  readonly matchedBy: MatchedBy;
}

/** The sido that has or had the name of a `nameKey`; a former name gives the former sido. */
export function sidoOfKey(key: string): NameMatch | undefined {
  return matchByKey.get(key);
}

/** Former names of a current sido, for display: `강원도` of 강원특별자치도. */
export function formerNamesOfSido(sido: Region): string[] {
  const predecessors = regionTable.filter(
    (region) => region.level === 'sido' && region.successors.some(({ code }) => code === sido.code),
  );
  const older = otherNames.filter(([code, , kind]) => code === sido.code && kind === 'former_name');
  return [...predecessors.map(({ name }) => name), ...older.map(([, name]) => name)];
}

/** Names in common use or in other systems that the code table does not have. */
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

const matchByKey: ReadonlyMap<string, NameMatch> = buildNames();

/** Current names come first: 강원 means 강원특별자치도, although 강원도 had the same short name. */
function buildNames(): Map<string, NameMatch> {
  const matches = new Map<string, NameMatch>();
  const add = (name: string, region: Region, matchedBy: MatchedBy): void => {
    const key = nameKey(name);
    if (!matches.has(key)) matches.set(key, { region, matchedBy });
  };
  const sidos = regionTable.filter(({ level }) => level === 'sido');
  for (const sido of sidos.filter(({ until }) => until === null)) {
    add(sido.name, sido, 'name');
    add(sido.short, sido, 'short');
  }
  for (const sido of sidos.filter(({ until }) => until !== null)) {
    add(sido.name, sido, 'former_name');
    if (isMergedSido(sido)) add(sido.short, sido, 'former_name');
  }
  for (const [code, name, kind] of otherNames) {
    const sido = sidos.find((region) => region.code === code);
    if (sido !== undefined) add(name, sido, kind);
  }
  return matches;
}
