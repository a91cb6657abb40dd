import { findRegion } from '../data/regions/find-region.ts';
import { suggestRegions } from '../data/regions/suggest-regions.ts';

/** Regions that may have been meant by two texts that name none together, at most five. */
export function regionSuggestions(sido: string, sigungu: string | undefined): string[] {
  const near = suggestRegions(sido, sigungu);
  if (near.length > 0) return near;
  const named = findRegion(sido)?.sido.name ?? romanised.get(sido.toLowerCase());
  // The sido is right and the rest is of another one, or the other way round.
  const within = named === undefined ? [] : suggestRegions(named, sigungu);
  const elsewhere = sigungu === undefined ? [] : suggestRegions(sigungu);
  return [...new Set([...within.slice(0, withinMax), ...elsewhere])].slice(0, suggestionsMax);
}

const suggestionsMax = 5;
const withinMax = 2;

/** The names in Latin letters that people type, by the romanisation of 2000. */
const romanised: ReadonlyMap<string, string> = new Map([
  ['seoul', '서울특별시'],
  ['busan', '부산광역시'],
  ['daegu', '대구광역시'],
  ['incheon', '인천광역시'],
  ['gwangju', '전남광주통합특별시'],
  ['daejeon', '대전광역시'],
  ['ulsan', '울산광역시'],
  ['sejong', '세종특별자치시'],
  ['gyeonggi', '경기도'],
  ['gangwon', '강원특별자치도'],
  ['chungbuk', '충청북도'],
  ['chungnam', '충청남도'],
  ['jeonbuk', '전북특별자치도'],
  ['jeonnam', '전남광주통합특별시'],
  ['gyeongbuk', '경상북도'],
  ['gyeongnam', '경상남도'],
  ['jeju', '제주특별자치도'],
]);
