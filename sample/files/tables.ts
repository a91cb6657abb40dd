import { randomFor, type SeededRandom } from '../seeded-random.ts';
import { addressFront, districts, phone, placeIn, type District, type Place } from '../place.ts';
import { coinedWord, signFor } from '../words.ts';

/** A header and the rows under it, before an office spoils them. */
export interface PlainTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Rows about places all over the country. */
export function placesTable(
  seed: number,
  name: string,
  count: number,
  header: readonly string[],
  row: (place: Place, random: SeededRandom, index: number) => readonly (string | number)[],
  among: readonly District[] = districts,
): PlainTable {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'file', name, index);
    return row(placeIn(random, random.pick(among)), random, index);
  });
  return { header, rows };
}

export function parkingTable(seed: number, count: number): PlainTable {
  const header =
    '주차장관리번호,주차장명,주차장구분,소재지도로명주소,소재지지번주소,주차구획수,운영요일,요금정보,관리기관명,전화번호,위도,경도,데이터기준일자';
  return placesTable(seed, 'parking', count, header.split(','), (place, random, index) => [
    `0${random.whole(10, 99)}-9-${String(index + 1).padStart(6, '0')}`,
    `${signFor(random, '공영주차장')}(예시)`,
    random.pick(['공영', '민영']),
    place.roadAddress,
    place.lotAddress,
    random.whole(4, 300),
    '평일+토요일+공휴일',
    random.pick(['무료', '유료']),
    addressFront(place.district),
    phone(random, place.district.sido),
    place.lat,
    place.lon,
    '2026-08-31',
  ]);
}

export function libraryTable(seed: number, count: number): PlainTable {
  const header =
    '도서관명,시도명,시군구명,도서관유형,열람좌석수,자료수(도서),소재지도로명주소,전화번호,홈페이지주소,위도,경도,데이터기준일자';
  return placesTable(seed, 'library', count, header.split(','), (place, random) => [
    `${place.dong} ${signFor(random, '도서관')}(예시)`,
    place.district.sido.name,
    place.district.name,
    random.pick(['공공도서관', '작은도서관']),
    random.whole(6, 400),
    random.whole(800, 150_000),
    place.roadAddress,
    phone(random, place.district.sido),
    'https://example.com',
    place.lat,
    place.lon,
    '2026-07-31',
  ]);
}

export function lampTable(seed: number, count: number): PlainTable {
  const header = '보안등위치명,설치개수,소재지도로명주소,위도,경도,설치연도,관리기관명';
  return placesTable(seed, 'lamp', count, header.split(','), (place, random, index) => [
    `${place.dong}-${index + 1}`,
    random.whole(1, 6),
    place.roadAddress,
    // The defect of this file: the two columns were filled the wrong way round.
    place.lon,
    place.lat,
    random.whole(2001, 2025),
    addressFront(place.district),
  ]);
}

/** Names and addresses before 2023: 강원도, 전라북도, 광주광역시, 인천 남구. */
export function gymTable(seed: number, count: number): PlainTable {
  const header = '시설명,시도명,시군구명,주소,업종,연면적';
  return placesTable(seed, 'gym', count, header.split(','), (place, random) => {
    const [sido, sigungu] = formerNames(place.district);
    return [
      `${coinedWord(random)}체육관(예시)`,
      sido,
      sigungu,
      `${sido} ${sigungu} ${place.road} ${place.building}`,
      random.pick(['체력단련장업', '수영장업', '골프연습장업']),
      (random.whole(500, 90_000) / 10).toFixed(1),
    ];
  });
}

function formerNames({ code, name, sido }: District): [sido: string, sigungu: string] {
  if (code === '28177') return ['인천광역시', '남구'];
  if (sido.code === '51') return ['강원도', name];
  if (sido.code === '52') return ['전라북도', name];
  if (sido.code === '12') return [name.endsWith('구') ? '광주광역시' : '전라남도', name];
  return [sido.name, name];
}

/** Metres of the central belt (EPSG:5186) instead of degrees; near enough to fall in the right county. */
export function wellTable(seed: number, count: number): PlainTable {
  const header = '관리번호,시설명,주소,X좌표,Y좌표';
  return placesTable(seed, 'well', count, header.split(','), (place, random, index) => [
    `W-${String(index + 1).padStart(5, '0')}`,
    `${coinedWord(random)}약수터(예시)`,
    place.lotAddress,
    (200_000 + (place.lon - 127) * 111_320 * Math.cos((place.lat * Math.PI) / 180)).toFixed(3),
    (600_000 + (place.lat - 38) * 110_950).toFixed(3),
  ]);
}
