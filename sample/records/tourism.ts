import { randomFor, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generate, memoize, filter, slice, type Listing, type Row } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { districts, placeIn, type Place } from '../place.ts';
import { signFor } from '../words.ts';
import type { World } from '../world.ts';
import { tourCodeSources } from './tour-code-tables.ts';
import { tourAreas, tourKinds } from './tour-codes.ts';

/** Places, stays, festivals, and the code tables of the tourism organisation (KTO). */
export function tourismSources(world: World): Readonly<Record<string, Source>> {
  const places = generate(world.count('gen_areabasedlist2', 3600), (index) =>
    placeRow(world, index),
  );
  const details = memoize(() => {
    const detailed = slice(places, 0, detailedMax);
    return {
      stays: detailed.filter(ofType('32')).map(stayRow),
      festivals: detailed.filter(ofType('15')).map((row) => festivalRow(world, row)),
      pets: detailed.filter(allowsPets).map((row) => petRow(world, row)),
    };
  });
  return {
    gen_areabasedlist2: (query) => filtered(places, query),
    gen_searchstay2: (query) => filtered(details().stays, query),
    gen_searchfestival2: (query) => filterByDates(filtered(details().festivals, query), query),
    gen_detailpettour2: (query) => filterByContent(details().pets, query),
    ...tourCodeSources,
  };
}

/** Only the first places, this many, can be in the lists of stays, festivals and rules about pets. */
const detailedMax = 20_000;
/** First content id; real ids are lower. */
const contentIdFirst = 9_000_000;

function ofType(contentType: string): (row: Row) => boolean {
  return (row) => row['contenttypeid'] === contentType;
}

function allowsPets(row: Row): boolean {
  return Number(row['contentid']) % 7 === 3;
}

const makePlace = recordMaker('tour_place');
const makeFestival = recordMaker('tour_festival');
const makePet = recordMaker('tour_pet');

function placeRow({ seed }: World, index: number): Row {
  const random = randomFor(seed, 'tourism', index);
  const { contentType, cat1, cat2, cat3, system } = random.pick(tourKinds);
  const place = placeIn(random, random.pick(districts));
  const { sido, code } = place.district;
  return {
    ...makePlace(random, { number: contentIdFirst + index, contentType }, place),
    mapx: place.lon.toFixed(10),
    mapy: place.lat.toFixed(10),
    title: `${signFor(random, cat3.name.split('/')[0] ?? '')}(예시)`,
    lDongRegnCd: sido.code,
    lDongSignguCd: code.slice(2),
    lclsSystm1: system[0].code,
    lclsSystm2: system[1].code,
    lclsSystm3: system[2].code,
    ...oldCodes(random, place, [cat1.code, cat2.code, cat3.code]),
  };
}

/** Codes of the old classification, which some places no longer have since 2026. */
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
  return { ...row, ...makeFestival(randomFor(seed, 'festival', String(row['contentid'])), {}) };
}

function petRow({ seed }: World, { contentid = '' }: Row): Row {
  return { contentid, ...makePet(randomFor(seed, 'pet', String(contentid)), {}) };
}

/** Parameters that filter by the field of the same name, or of that name in lower case. */
const filterParameters =
  'contentTypeId lDongRegnCd lDongSignguCd lclsSystm1 lclsSystm2 lclsSystm3 areaCode sigunguCode cat1 cat2 cat3'.split(
    ' ',
  );

function filtered(rows: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const parameters = filterParameters.filter((name) => (query.get(name) ?? '') !== '');
  const since = query.get('modifiedtime') ?? '';
  if (parameters.length === 0 && since === '') return rows;
  return filter(
    rows,
    (row) =>
      parameters.every((name) => (row[name] ?? row[name.toLowerCase()]) === query.get(name)) &&
      String(row['modifiedtime']).startsWith(since),
  );
}

function filterByDates(rows: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const from = query.get('eventStartDate') ?? '';
  const to = query.get('eventEndDate') || '99999999';
  return filter(
    rows,
    (row) => String(row['eventstartdate']) >= from && String(row['eventenddate']) <= to,
  );
}

function filterByContent(pets: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const id = query.get('contentId') ?? '';
  return id === '' ? pets : filter(pets, (row) => row['contentid'] === id);
}
