import { stemOf } from './meaning.ts';
import type { ProfiledColumn } from './column.ts';
import type { PlaceShares } from './place.ts';

/**
 * Scores a column as the name of its records. The label weighs most, then the share of distinct values; of equal
 * columns the first wins.
 */
export function nameScore(
  { words, type, profile }: ProfiledColumn,
  place: PlaceShares | null,
  position: number,
  rows: number,
): number {
  const stem = stemOf(words);
  // `공연(행사)명` is the name of a 공연.
  const base = wordScore(stem.replaceAll(/\([^()]*\)(?=명)/g, ''));
  if (base === 0 || (type !== 'string' && profile.nonNull > 0)) return 0;
  // Some weather stations have the name of the 시도 that they are in.
  const mayBeRegion = place !== null && stem !== '지점명';
  if (mayBeRegion && Math.max(place.sido, place.region) >= 0.5) return 0;
  const { distinct, nonNull } = profile;
  const distinctShare = distinct === null ? 1 : nonNull === 0 ? 0 : distinct / nonNull;
  let score = base + distinctShare * 20 - Math.min(5, position * 0.2);
  if (nonNull < rows * 0.3) score -= 30;
  if (nonNull >= 200 && distinct !== null && distinct <= 20) score -= 30;
  return Math.max(0, score);
}

export const nameScoreMin = 35;

function wordScore(stem: string): number {
  if (categoryName.test(stem)) return 0;
  if (organisationName.test(stem)) return 10;
  if (/(?:노선|^선|호선)명$/.test(stem)) return 25;
  if (stem === '공사명') return 85;
  if (thingName.test(stem)) return 80;
  if (/^(?:기관|지점)명$/.test(stem)) return 70;
  if (/^(?:명칭|이름|제목|상호|성명|한글성명|서명|표제|품명)$/.test(stem)) return 75;
  if (/(?:명칭|명|이름|제목)$/.test(stem)) return 50;
  if (latinName.test(stem)) return 42;
  return bareNoun.test(stem) ? 40 : 0;
}

/** Labels that name the thing a record describes. */
const thingName =
  /(?:시설|상호|업소|사업장|업체|점포|가게|매장|건물|단지|상품|제품|쉼터|대피소|도서관|박물관|미술관|주차장|정류[장소]|화장실|병원|의원|약국|학교|유치원|어린이집|시장|관광지|공원|축제|행사|음식점|식당|충전소|센터|대여소\)?|역사?|폐교|목록|요양기관|콘텐츠|문화재|해수욕장|캠핑장|휴양림|투표구|공연|전시)명칭?$/;
/** Nouns that are the header of a name column: files of fire stations use `소방서`. */
const bareNoun = /(?:소방서|경찰서|보건소|도서관|병원|약국|학교|업소|시설|정류[장소]|주차장|시장)$/;
/** A name in Latin letters without a Korean label: `stationName 항목`. */
const latinName = /[a-z](?:Name|Nm|_name|_nm)항목$/;
/** The organisation that runs, keeps or made the thing: a name, but not the record's. */
const organisationName =
  /(?:운영|관리|제공|주관|주최|설치|소관|관할|위탁|수탁|공급|발급|시행|철도운영|교육)(?:기관|주체|업체|자|청|관청|부서)명?$|(?:제조|제작|판매|시공|설계|운수|처리|수거|운반)(?:사|업체|업소|회사)명?$/;
/** Kinds, regions and translations: many records share them, or another column is better. */
const categoryName =
  /(?:구분|분류|종류|유형|형태|업종|코드|등급|용도|시도|시군구?|자치구|구군|읍면동?|법정동|행정동|동리|^동|^리|^호|도로|특수지|영문|한자|일문|중문|영어|대표자|담당자?|부서|성별|법령|국가|국적|도시|지역|사유|파일|단위|방법|방식|요일|색상|소유자?|주체|대표음식|상태|정당|교육청|교육지원청|지원청|환승노선|구시군|위원회|지역구|선거구|학력|직업)(?:명칭|명|이름)$|영문|한자/;
