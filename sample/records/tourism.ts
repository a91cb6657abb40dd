import { randomFor, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generated, lazily, only, slice, type Listing, type Row } from '../listing.ts';
import { districts, phone, placeIn, type Place } from '../place.ts';
import { signFor } from '../words.ts';
import type { World } from '../world.ts';
import { tourCodeSources } from './tour-code-tables.ts';
import { tourAreas, tourKinds } from './tour-codes.ts';

/** Places, stays, festivals, and the code tables of the tourism organisation (KTO). */
export function tourismSources(world: World): Readonly<Record<string, Source>> {
  const places = generated(world.count('gen_areabasedlist2', 3600), (index) =>
    placeRow(world, index),
  );
  const kinds = lazily(() => {
    const some = slice(places, 0, withDetailsMax);
    return {
      stays: some.filter(ofType('32')).map(stayRow),
      festivals: some.filter(ofType('15')).map((row) => festivalRow(world, row)),
      pets: some.filter(welcomesPets).map((row) => petRow(world, row)),
    };
  });
  return {
    gen_areabasedlist2: (query) => filtered(places, query),
    gen_searchstay2: (query) => filtered(kinds().stays, query),
    gen_searchfestival2: (query) => between(filtered(kinds().festivals, query), query),
    gen_detailpettour2: (query) => withContent(kinds().pets, query),
    ...tourCodeSources,
  };
}

/** Number of places with details, such as a stay, a festival or a rule about pets. */
const withDetailsMax = 20_000;
/** First content id; real ids are lower. */
const contentIdFirst = 9_000_000;

function ofType(contentType: string): (row: Row) => boolean {
  return (row) => row['contenttypeid'] === contentType;
}

function welcomesPets(row: Row): boolean {
  return Number(row['contentid']) % 7 === 3;
}

function placeRow({ seed }: World, index: number): Row {
  const random = randomFor(seed, 'tourism', index);
  const kind = random.pick(tourKinds);
  const place = placeIn(random, random.pick(districts));
  const { district } = place;
  const created = `20${random.whole(10, 24)}${pad2(random.whole(1, 12))}${pad2(random.whole(1, 28))}${dayTime(random)}`;
  const [main, middle, small] = kind.system;
  return {
    addr1: random.chance(0.97) ? place.roadAddress : '',
    addr2: random.chance(0.2) ? `(${place.dong})` : '',
    zipcode: place.postcode,
    contentid: String(contentIdFirst + index),
    contenttypeid: kind.contentType,
    createdtime: created,
    modifiedtime: `2026${pad2(random.whole(1, 9))}${pad2(random.whole(1, 28))}${dayTime(random)}`,
    firstimage: '',
    firstimage2: '',
    cpyrhtDivCd: random.pick(['', 'Type1', 'Type3']),
    mapx: place.lon.toFixed(10),
    mapy: place.lat.toFixed(10),
    mlevel: '6',
    tel: random.chance(0.5) ? phone(random, district.sido) : '',
    title: `${signFor(random, kind.cat3.name.split('/')[0] ?? '')}(예시)`,
    lDongRegnCd: district.sido.code,
    lDongSignguCd: district.code.slice(2),
    lclsSystm1: main.code,
    lclsSystm2: middle.code,
    lclsSystm3: small.code,
    ...oldCodes(random, place, [kind.cat1.code, kind.cat2.code, kind.cat3.code]),
  };
}

/** Since 2026 the old codes are empty on a part of the places. */
function oldCodes(
  random: SeededRandom,
  { district }: Place,
  [cat1, cat2, cat3]: readonly string[],
): Row {
  if (random.chance(0.4)) return { areacode: '', sigungucode: '', cat1: '', cat2: '', cat3: '' };
  const area = tourAreas.find(({ sido }) => sido === district.sido.code);
  const inSido = districts.filter(({ sido }) => sido === district.sido);
  return {
    areacode: area?.code ?? '',
    sigungucode: String(inSido.indexOf(district) + 1),
    cat1: cat1 ?? '',
    cat2: cat2 ?? '',
    cat3: cat3 ?? '',
  };
}

function stayRow(row: Row): Row {
  return { ...row, benikia: '', goodstay: '', hanok: row['cat3'] === 'B02011600' ? '1' : '' };
}

function festivalRow({ seed }: World, row: Row): Row {
  const random = randomFor(seed, 'festival', String(row['contentid']));
  const month = pad2(random.whole(1, 12));
  const day = random.whole(1, 20);
  const year = random.pick(['2025', '2026', '2026', '2027']);
  return {
    ...row,
    eventstartdate: `${year}${month}${pad2(day)}`,
    eventenddate: `${year}${month}${pad2(day + random.whole(0, 8))}`,
    progresstype: random.pick(['선택안함', '연례']),
    festivaltype: '',
  };
}

function petRow({ seed }: World, row: Row): Row {
  const random = randomFor(seed, 'pet', String(row['contentid']));
  return {
    contentid: row['contentid'] ?? '',
    relaAcdntRiskMtr: random.pick(['', '목줄 착용 필수', '맹견 입마개 착용']),
    acmpyTypeCd: random.pick(['전구역 동반가능', '일부구역 동반가능', '동반불가']),
    relaPosesFclty: random.pick(['', '배변봉투함', '반려견 쉼터']),
    relaFrnshPrdlst: random.pick(['', '배변봉투']),
    etcAcmpyInfo: random.pick([
      '',
      '실외 산책로만 이용 가능',
      '5kg 이하 & 케이지 이용 시 실내 가능',
    ]),
    relaPurcPrdlst: '',
    acmpyPsblCpam: random.pick(['전 견종', '소형견', '10kg 미만']),
    relaRntlPrdlst: '',
    acmpyNeedMtr: random.pick(['목줄', '목줄, 배변봉투', '케이지']),
    petTursmInfo: '',
  };
}

/** Parameters and the fields they must equal. */
const equalities = [
  ['contentTypeId', 'contenttypeid'],
  ['lDongRegnCd', 'lDongRegnCd'],
  ['lDongSignguCd', 'lDongSignguCd'],
  ['lclsSystm1', 'lclsSystm1'],
  ['lclsSystm2', 'lclsSystm2'],
  ['lclsSystm3', 'lclsSystm3'],
  ['areaCode', 'areacode'],
  ['sigunguCode', 'sigungucode'],
  ['cat1', 'cat1'],
  ['cat2', 'cat2'],
  ['cat3', 'cat3'],
] as const;

function filtered(rows: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const wanted = equalities.flatMap(([parameter, field]) => {
    const value = query.get(parameter) ?? '';
    return value === '' ? [] : [[field, value] as const];
  });
  const since = query.get('modifiedtime') ?? '';
  if (wanted.length === 0 && since === '') return rows;
  return only(
    rows,
    (row) =>
      wanted.every(([field, value]) => row[field] === value) &&
      String(row['modifiedtime']).startsWith(since),
  );
}

function between(rows: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const from = query.get('eventStartDate') ?? '';
  const to = query.get('eventEndDate') || '99999999';
  return only(
    rows,
    (row) => String(row['eventstartdate']) >= from && String(row['eventenddate']) <= to,
  );
}

function withContent(pets: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const id = query.get('contentId') ?? '';
  return id === '' ? pets : only(pets, (row) => row['contentid'] === id);
}

function dayTime(random: SeededRandom): string {
  return pad2(random.whole(0, 23)) + pad2(random.whole(0, 59)) + pad2(random.whole(0, 59));
}

function pad2(number: number): string {
  return String(number).padStart(2, '0');
}
