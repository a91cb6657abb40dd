import { randomFor, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generated, only, type Listing, type Row } from '../listing.ts';
import { operationOf } from '../operation.ts';
import { addressFront, districts, phone, placeIn, type Place } from '../place.ts';
import { coinedWord, signFor } from '../words.ts';
import type { World } from '../world.ts';

/** Standard data: one table for the whole country, filled by hundreds of offices (`tn_pubr_*`). */
export function standardSources(world: World): Readonly<Record<string, Source>> {
  return Object.fromEntries(
    Object.entries(tables).map(([code, table]) => {
      const fields = operationOf(code).fields.map(({ name }) => name);
      const rows = generated(world.count(code, table.count), (index) =>
        tableRow(world, code, table, fields, index),
      );
      const source: Source = (query) => filtered(rows, fields, query);
      return [code, source];
    }),
  );
}

interface Table {
  readonly count: number;
  readonly content: (random: SeededRandom, place: Place, index: number) => Row;
}

const tables: Readonly<Record<string, Table>> = {
  std_library: { count: 1200, content: library },
  std_parking: { count: 600, content: parking },
  std_museum: { count: 250, content: museum },
  std_festival: { count: 250, content: festival },
  std_toilet: { count: 400, content: toilet },
  std_park: { count: 400, content: park },
};

/** Any field is a filter, in capitals with underscores: `CTPRVN_NM=대구광역시`. */
function filtered(
  rows: Listing<Row>,
  fields: readonly string[],
  query: ReadonlyMap<string, string>,
): Listing<Row> {
  const wanted = fields.flatMap((field) => {
    const upper = field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const value = query.get(upper) ?? query.get(upper.toLowerCase()) ?? '';
    return value === '' ? [] : [[field, value] as const];
  });
  if (wanted.length === 0) return rows;
  return only(rows, (row) => wanted.every(([field, value]) => row[field] === value));
}

function tableRow(
  { seed }: World,
  code: string,
  table: Table,
  fields: readonly string[],
  index: number,
): Row {
  const random = randomFor(seed, code, index);
  const place = placeIn(random, random.pick(districts));
  const { district } = place;
  const common: Row = {
    ctprvnNm: district.sido.name,
    signguNm: district.name,
    rdnmadr: random.chance(0.95) ? place.roadAddress : '',
    lnmadr: place.lotAddress,
    latitude: String(place.lat),
    longitude: String(place.lon),
    institutionNm: `${addressFront(district)} 예시과`,
    phoneNumber: phone(random, district.sido),
    homepageUrl: random.chance(0.5) ? 'https://example.com' : '',
    referenceDate: `2026-0${random.whole(1, 9)}-${String(random.whole(10, 28))}`,
    insttCode: `9${district.code}0`,
    insttNm: addressFront(district),
  };
  const row = { ...common, ...table.content(random, place, index) };
  return Object.fromEntries(fields.map((field) => [field, row[field] ?? '']));
}

const hours: Row = {
  weekdayOperOpenHhmm: '09:00',
  weekdayOperColseHhmm: '18:00',
  satOperOperOpenHhmm: '09:00',
  satOperCloseHhmm: '17:00',
  holidayOperOpenHhmm: '00:00',
  holidayCloseOpenHhmm: '00:00',
};

function library(random: SeededRandom, place: Place): Row {
  const kind = random.pick(['공공도서관', '작은도서관', '어린이도서관']);
  return {
    ...hours,
    lbrryNm: `${place.dong} ${signFor(random, kind === '작은도서관' ? '작은도서관' : '도서관')}(예시)`,
    lbrrySe: kind,
    closeDay: random.pick(['매주 월요일', '매주 금요일+법정공휴일', '첫째, 셋째 월요일']),
    seatCo: String(random.whole(6, 400)),
    bookCo: String(random.whole(1000, 180_000)),
    pblictnCo: String(random.whole(0, 300)),
    noneBookCo: String(random.whole(0, 4000)),
    lonCo: String(random.whole(3, 10)),
    lonDaycnt: random.pick(['7', '14', '15']),
    operInstitutionNm: addressFront(place.district),
    plotAr: String(random.whole(100, 6000)),
    buldAr: String(random.whole(50, 5000)),
  };
}

function parking(random: SeededRandom, place: Place, index: number): Row {
  const free = random.chance(0.4);
  return {
    ...hours,
    prkplceNo: `${place.district.code.slice(0, 3)}-9-${String(index + 1).padStart(6, '0')}`,
    prkplceNm: `${signFor(random, '주차장')}(예시)`,
    prkplceSe: random.pick(['공영', '공영', '민영']),
    prkplceType: random.pick(['노외', '노상', '부설']),
    prkcmprt: String(random.whole(5, 400)),
    feedingSe: random.pick(['1', '2', '기타']),
    enforceSe: '미시행',
    operDay: '평일+토요일+공휴일',
    parkingchrgeInfo: free ? '무료' : '유료',
    basicTime: '30',
    basicCharge: free ? '0' : '1000',
    addUnitTime: '10',
    addUnitCharge: free ? '0' : '500',
    pwdbsPpkZoneYn: random.pick(['Y', 'N']),
  };
}

function museum(random: SeededRandom): Row {
  const kind = random.pick(['박물관', '미술관']);
  return {
    ...hours,
    fcltyNm: `${signFor(random, kind)}(예시)`,
    fcltyType: `${random.pick(['공립', '사립'])}${kind}`,
    rstdeInfo: '매주 월요일',
    adultChrge: random.pick(['0', '2000', '5000']),
    yngbgsChrge: random.pick(['0', '1000']),
    childChrge: '0',
    fcltyIntrcn: '예시로 만든 시설입니다.',
  };
}

function festival(random: SeededRandom, place: Place): Row {
  const month = String(random.whole(3, 11)).padStart(2, '0');
  const day = random.whole(1, 20);
  return {
    fstvlNm: `제${random.whole(2, 30)}회 ${coinedWord(random)} 축제(예시)`,
    opar: `${place.dong} 일원`,
    fstvlStartDate: `2026-${month}-${String(day).padStart(2, '0')}`,
    fstvlEndDate: `2026-${month}-${String(day + random.whole(0, 6)).padStart(2, '0')}`,
    fstvlCo: '공연+체험+먹거리',
    mnnstNm: '예시축제추진위원회',
    auspcInsttNm: addressFront(place.district),
  };
}

function toilet(random: SeededRandom, place: Place, index: number): Row {
  return {
    toiletNo: String(index + 1),
    toiletType: random.pick(['공중화장실', '개방화장실']),
    toiletNm: `${place.dong} ${coinedWord(random)}화장실(예시)`,
    menToiletBowlNumber: String(random.whole(0, 8)),
    menUrineNumber: String(random.whole(0, 10)),
    ladiesToiletBowlNumber: String(random.whole(0, 12)),
    openTime: random.pick(['상시', '정시']),
    openTimeInfo: random.pick(['24시간', '09:00~18:00']),
    installationYear: `${random.whole(1998, 2024)}-0${random.whole(1, 9)}`,
    unisexToiletYn: 'N',
    emgBellYn: random.pick(['Y', 'N']),
    enterentCctvYn: random.pick(['Y', 'N']),
  };
}

function park(random: SeededRandom, place: Place, index: number): Row {
  return {
    manageNo: `${place.district.code}-9${String(index + 1).padStart(5, '0')}`,
    parkNm: `${coinedWord(random)}공원(예시)`,
    parkSe: random.pick(['어린이공원', '근린공원', '소공원', '체육공원']),
    parkAr: String(random.whole(400, 90_000)),
    mvmFclty: random.pick(['', '철봉+허리돌리기']),
    amsmtFclty: random.pick(['', '미끄럼틀+그네']),
    cnvnncFclty: random.pick(['', '화장실+벤치']),
    appnNtfcDate: `${random.whole(1985, 2022)}-05-${String(random.whole(10, 28))}`,
  };
}
