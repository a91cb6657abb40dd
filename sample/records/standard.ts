import { diceFor, type Dice } from '../dice.ts';
import type { Source } from '../doors/operations.ts';
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
  readonly content: (dice: Dice, place: Place, index: number) => Row;
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
  const dice = diceFor(seed, code, index);
  const place = placeIn(dice, dice.pick(districts));
  const { district } = place;
  const common: Row = {
    ctprvnNm: district.sido.name,
    signguNm: district.name,
    rdnmadr: dice.chance(0.95) ? place.roadAddress : '',
    lnmadr: place.lotAddress,
    latitude: String(place.lat),
    longitude: String(place.lon),
    institutionNm: `${addressFront(district)} 예시과`,
    phoneNumber: phone(dice, district.sido),
    homepageUrl: dice.chance(0.5) ? 'https://example.com' : '',
    referenceDate: `2026-0${dice.whole(1, 9)}-${String(dice.whole(10, 28))}`,
    insttCode: `9${district.code}0`,
    insttNm: addressFront(district),
  };
  const row = { ...common, ...table.content(dice, place, index) };
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

function library(dice: Dice, place: Place): Row {
  const kind = dice.pick(['공공도서관', '작은도서관', '어린이도서관']);
  return {
    ...hours,
    lbrryNm: `${place.dong} ${signFor(dice, kind === '작은도서관' ? '작은도서관' : '도서관')}(예시)`,
    lbrrySe: kind,
    closeDay: dice.pick(['매주 월요일', '매주 금요일+법정공휴일', '첫째, 셋째 월요일']),
    seatCo: String(dice.whole(6, 400)),
    bookCo: String(dice.whole(1000, 180_000)),
    pblictnCo: String(dice.whole(0, 300)),
    noneBookCo: String(dice.whole(0, 4000)),
    lonCo: String(dice.whole(3, 10)),
    lonDaycnt: dice.pick(['7', '14', '15']),
    operInstitutionNm: addressFront(place.district),
    plotAr: String(dice.whole(100, 6000)),
    buldAr: String(dice.whole(50, 5000)),
  };
}

function parking(dice: Dice, place: Place, index: number): Row {
  const free = dice.chance(0.4);
  return {
    ...hours,
    prkplceNo: `${place.district.code.slice(0, 3)}-9-${String(index + 1).padStart(6, '0')}`,
    prkplceNm: `${signFor(dice, '주차장')}(예시)`,
    prkplceSe: dice.pick(['공영', '공영', '민영']),
    prkplceType: dice.pick(['노외', '노상', '부설']),
    prkcmprt: String(dice.whole(5, 400)),
    feedingSe: dice.pick(['1', '2', '기타']),
    enforceSe: '미시행',
    operDay: '평일+토요일+공휴일',
    parkingchrgeInfo: free ? '무료' : '유료',
    basicTime: '30',
    basicCharge: free ? '0' : '1000',
    addUnitTime: '10',
    addUnitCharge: free ? '0' : '500',
    pwdbsPpkZoneYn: dice.pick(['Y', 'N']),
  };
}

function museum(dice: Dice): Row {
  const kind = dice.pick(['박물관', '미술관']);
  return {
    ...hours,
    fcltyNm: `${signFor(dice, kind)}(예시)`,
    fcltyType: `${dice.pick(['공립', '사립'])}${kind}`,
    rstdeInfo: '매주 월요일',
    adultChrge: dice.pick(['0', '2000', '5000']),
    yngbgsChrge: dice.pick(['0', '1000']),
    childChrge: '0',
    fcltyIntrcn: '예시로 만든 시설입니다.',
  };
}

function festival(dice: Dice, place: Place): Row {
  const month = String(dice.whole(3, 11)).padStart(2, '0');
  const day = dice.whole(1, 20);
  return {
    fstvlNm: `제${dice.whole(2, 30)}회 ${coinedWord(dice)} 축제(예시)`,
    opar: `${place.dong} 일원`,
    fstvlStartDate: `2026-${month}-${String(day).padStart(2, '0')}`,
    fstvlEndDate: `2026-${month}-${String(day + dice.whole(0, 6)).padStart(2, '0')}`,
    fstvlCo: '공연+체험+먹거리',
    mnnstNm: '예시축제추진위원회',
    auspcInsttNm: addressFront(place.district),
  };
}

function toilet(dice: Dice, place: Place, index: number): Row {
  return {
    toiletNo: String(index + 1),
    toiletType: dice.pick(['공중화장실', '개방화장실']),
    toiletNm: `${place.dong} ${coinedWord(dice)}화장실(예시)`,
    menToiletBowlNumber: String(dice.whole(0, 8)),
    menUrineNumber: String(dice.whole(0, 10)),
    ladiesToiletBowlNumber: String(dice.whole(0, 12)),
    openTime: dice.pick(['상시', '정시']),
    openTimeInfo: dice.pick(['24시간', '09:00~18:00']),
    installationYear: `${dice.whole(1998, 2024)}-0${dice.whole(1, 9)}`,
    unisexToiletYn: 'N',
    emgBellYn: dice.pick(['Y', 'N']),
    enterentCctvYn: dice.pick(['Y', 'N']),
  };
}

function park(dice: Dice, place: Place, index: number): Row {
  return {
    manageNo: `${place.district.code}-9${String(index + 1).padStart(5, '0')}`,
    parkNm: `${coinedWord(dice)}공원(예시)`,
    parkSe: dice.pick(['어린이공원', '근린공원', '소공원', '체육공원']),
    parkAr: String(dice.whole(400, 90_000)),
    mvmFclty: dice.pick(['', '철봉+허리돌리기']),
    amsmtFclty: dice.pick(['', '미끄럼틀+그네']),
    cnvnncFclty: dice.pick(['', '화장실+벤치']),
    appnNtfcDate: `${dice.whole(1985, 2022)}-05-${String(dice.whole(10, 28))}`,
  };
}
