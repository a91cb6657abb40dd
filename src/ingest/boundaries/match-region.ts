import { currentSuccessors, isMergedSido, currentSidoCode } from '../../data/regions/coverage.ts';
import { regionByCoordinates, type NearestRegion } from '../../data/regions/coordinates.ts';
import { nameKey } from '../../data/regions/name-key.ts';
import { currentChildren, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { sidoOfKey } from '../../data/regions/sido-names.ts';
import { allSigunguOfName } from '../../data/regions/sigungu-names.ts';
import { Boundaries } from '../../data/regions/boundaries.ts';
import type { AreaFeature } from './read-features.ts';

/** A feature with the current region that it shows, or the reason why no region matches. */
export interface MatchedFeature {
  readonly feature: AreaFeature;
  /** Name and code as the file writes them; null if it does not have them. */
  readonly name: string | null;
  readonly code: string | null;
  readonly region: Region | null;
  readonly reason: UnmatchedReason | null;
}

export type UnmatchedReason =
  /** No region has the name, and the region of the code lies at another place. */
  | 'unknown'
  /** No current region has this border: the region was divided since, or is a city with districts. */
  | 'divided'
  /** Several regions have the name, and none of them lies at the place of the feature. */
  | 'ambiguous'
  /** A point or a line. */
  | 'no_area'
  /** Outside of Korea. */
  | 'elsewhere';

/** Properties that name the region of a feature. */
export interface NamingProperties {
  readonly name?: string | undefined;
  readonly code?: string | undefined;
}

/** Finds the current region of a feature by its name; where several have the name, the position decides. */
export function matchRegion(feature: AreaFeature, naming: NamingProperties): MatchedFeature {
  const { properties, rings } = feature;
  const name = textOf(properties, naming.name, nameProperties);
  const code = textOf(properties, naming.code, codeProperties);
  const unmatched = (reason: UnmatchedReason): MatchedFeature => ({
    feature,
    name,
    code,
    region: null,
    reason,
  });
  if (rings.length === 0) return unmatched('no_area');
  const place = placeOf(feature);
  if (place === null) return unmatched('elsewhere');
  const candidates = regionsOf(name, code, place);
  if (candidates.length === 0) return unmatched('unknown');
  const currentRegions = [...new Set(candidates.flatMap((one) => currentRegionOf(one) ?? []))];
  const region =
    currentRegions.length === 1
      ? currentRegions[0]
      : currentRegions.find((one) => contains(one, place));
  if (region !== undefined) return { feature, name, code, region, reason: null };
  const isDivided = candidates.some((one) => currentRegionOf(one) === null);
  return unmatched(isDivided ? 'divided' : 'ambiguous');
}

/** The usual names of the property with a region's name, starting with those of the smallest regions. */
const nameProperties =
  'SIG_KOR_NM sggnm SGG_NM SIGUNGU_NM 시군구명 CTP_KOR_NM sidonm SIDO_NM 시도명 name NAME NL_NAME_2 NL_NAME_1 adm_nm ADM_NM'.split(
    ' ',
  );
const codeProperties =
  'SIG_CD sgg SGG_CD SIGUNGU_CD 시군구코드 CTPRVN_CD sido SIDO_CD 시도코드 code CODE adm_cd ADM_CD'.split(
    ' ',
  );

function textOf(
  properties: Readonly<Record<string, unknown>>,
  chosen: string | undefined,
  usual: readonly string[],
): string | null {
  for (const key of chosen === undefined ? usual : [chosen]) {
    const value = properties[key];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value).normalize('NFC').trim().slice(0, textLengthMax);
    if (text !== '') return text;
  }
  return null;
}

const textLengthMax = 60;

/**
 * Regions of a name. If the name is unknown: the region of the code, provided that the feature lies in it. The
 * statistics office has codes of its own, which mean other regions in our table.
 */
function regionsOf(
  name: string | null,
  code: string | null,
  place: NearestRegion,
): readonly Region[] {
  const key = name === null ? '' : nameKey(name);
  const sido = sidoOfKey(key);
  const namesakes = [...allSigunguOfName(key), ...(sido === undefined ? [] : [sido])];
  if (namesakes.length > 0) return namesakes.map(({ region }) => region);
  const afterSido = regionsAfterSido(key);
  const ofCode = code === null || afterSido.length > 0 ? undefined : regionByCode(code);
  return ofCode !== undefined && contains(ofCode, place) ? [ofCode] : afterSido;
}

/** Regions of a name that begins with a province: `서울특별시 종로구`. */
function regionsAfterSido(key: string): Region[] {
  for (let length = 2; length <= key.length - 2; length++) {
    const sido = sidoOfKey(key.slice(0, length));
    const namesakes = sido === undefined ? [] : allSigunguOfName(key.slice(length));
    const inSido = namesakes.filter(({ region }) => sidosOf(region).has(sido!.region.code));
    if (inSido.length > 0) return inSido.map(({ region }) => region);
  }
  return [];
}

function sidosOf(region: Region): ReadonlySet<string> {
  const codes = [region, ...currentSuccessors(region)].map(({ code }) => code.slice(0, 2));
  const former = regionByCode(codes[0]!)?.successors.map(({ code }) => code) ?? [];
  return new Set([...codes, ...former]);
}

/**
 * The current region with the area of a region, alone or with the others that merged into it; null if there is none, as
 * after a division.
 */
function currentRegionOf(region: Region): Region | null {
  if (isMergedSido(region)) return regionByCode(currentSidoCode(region.code)) ?? null;
  const [only, second] = currentSuccessors(region);
  if (only === undefined || second !== undefined) return null;
  // 제물포구 has the whole of the former 동구, but also a part of the former 중구.
  const hasPartOfAnother = only.predecessors.some(({ code, kind }) => {
    const other = regionByCode(code);
    return region !== only && kind === '1:n' && other?.until === region.until;
  });
  const isCity = only.level === 'sigungu' && currentChildren(only.code).length > 0;
  return hasPartOfAnother || isCity ? null : only;
}

/** The region in which the middle of a feature lies by the built-in borders; null outside of Korea. */
function placeOf({ rings }: AreaFeature): NearestRegion | null {
  const lines = rings.map((positions) => ({ sides: ['0', ''] as const, positions }));
  const { lat, lon } = new Boundaries(lines).shapeOf('0')!.label;
  return regionByCoordinates(lat, lon);
}

function contains(region: Region, place: NearestRegion): boolean {
  return place.code.startsWith(region.code);
}
