import { findRegion } from '../data/regions/find-region.ts';
import { suggestRegions } from '../data/regions/suggest-regions.ts';

/** At most five regions that a sido and a sigungu may mean when together they name none. */
export function regionSuggestions(sido: string, sigungu: string | undefined): string[] {
  const suggestions = suggestRegions(sido, sigungu);
  if (suggestions.length > 0) return suggestions;
  const sidoName = findRegion(sido)?.sido.name ?? romanisedSidos.get(sido.toLowerCase());
  // Only one of the two may be wrong: the sigungu, or the sido it is in.
  const inSido = sidoName === undefined ? [] : suggestRegions(sidoName, sigungu);
  const inOtherSidos = sigungu === undefined ? [] : suggestRegions(sigungu);
  return [...new Set([...inSido.slice(0, inSidoMax), ...inOtherSidos])].slice(0, suggestionsMax);
}

const suggestionsMax = 5;
const inSidoMax = 2;

/** Sido by their names in Latin letters, after the romanisation of 2000. */
const romanisedSidos: ReadonlyMap<string, string> = new Map([
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
