import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { numberRows, memoize, type Row } from '../listing.ts';
import { operationOf } from '../operation.ts';
import { recordMaker } from '../patterns.ts';
import { districtAddress, districts, phone, placeIn } from '../place.ts';
import { dayKst, timeKst, type World } from '../world.ts';

/** Emergency rooms, their free beds, and the illnesses that they treat (NMC). */
export function hospitalSources(world: World): Readonly<Record<string, Source>> {
  const hospitals = memoize(() => hospitalRows(world));
  return {
    gen_egytlistinfoinqire: (query) =>
      numberRows('rnum', hospitalsIn(hospitals(), query, 'Q0', 'Q1')),
    gen_strmlistinfoinqire: (query) =>
      numberRows(
        'rnum',
        hospitalsIn(hospitals(), query, 'Q0', 'Q1').filter((row) => row['dutyEmcls'] === 'G001'),
      ),
    gen_emrrmrltmusefulsckbdinfoinqire: (query) =>
      numberRows(
        'rnum',
        hospitalsIn(hospitals(), query, 'STAGE1', 'STAGE2')
          .filter(hasReported)
          .map((row) => bedRow(world, row)),
      ),
    gen_srsilldissaceptncposblinfoinqire: (query) =>
      hospitalsIn(hospitals(), query, 'STAGE1', 'STAGE2').map((row) => illnessRow(world, row)),
  };
}

/** Classes of emergency rooms. The first is the rarest. */
const classes = [
  ['G001', '권역응급의료센터', '권역의료원'],
  ['G006', '지역응급의료센터', '종합병원'],
  ['G007', '지역응급의료기관', '병원'],
  ['G009', '응급실운영신고기관', '병원'],
] as const;

const make = recordMaker('hospital');

function hospitalRows(world: World): Row[] {
  const count = world.count('gen_egytlistinfoinqire', 420);
  return Array.from({ length: count }, (_, index) => {
    const random = randomFor(world.seed, 'hospital', index);
    const district = districts[index % districts.length] ?? random.pick(districts);
    const place = placeIn(random, district);
    const [code, name, kind] = index % 24 === 0 ? classes[0] : random.pick(classes.slice(1));
    const village = place.dong.replace(/\d/g, '');
    return make(random, { n: index + 1, code, name, kind, village }, place);
  });
}

/** False for one hospital in thirty, which is missing from the list of free beds. */
function hasReported(row: Row): boolean {
  return Number(String(row['hpid']).slice(3)) % 30 !== 7;
}

const bedFields = operationOf('gen_emrrmrltmusefulsckbdinfoinqire').fields;

/** Free beds, which change every hour. */
function bedRow(world: World, hospital: Row): Row {
  const now = world.now();
  const hour = `${dayKst(now)}${timeKst(now).slice(0, 2)}`;
  const random = randomFor(world.seed, 'beds', String(hospital['hpid']), hour);
  const row: Record<string, string | number> = {
    hpid: hospital['hpid'] ?? '',
    phpid: hospital['phpid'] ?? '',
    hvidate: `${hour}${random.digits(2).replace(/^[6-9]/, '3')}00`,
    dutyName: hospital['dutyName'] ?? '',
    dutyTel3: hospital['dutyTel3'] ?? '',
  };
  for (const { name, isNumber } of bedFields) {
    if (name in row || name === 'rnum') continue;
    if (name === 'hv1' || name === 'hv12') row[name] = phone(random);
    else if (name === 'hvdnm') row[name] = '';
    else if (name === 'hv42' || !isNumber) row[name] = random.pick(['Y', 'Y', 'N', 'N1']);
    else if (random.chance(0.45)) continue;
    else row[name] = random.chance(0.05) ? random.whole(-4, -1) : random.whole(0, 32);
  }
  return row;
}

const illnessFields = operationOf('gen_srsilldissaceptncposblinfoinqire').fields;

function illnessRow({ seed }: World, hospital: Row): Row {
  const random = randomFor(seed, 'illness', String(hospital['hpid']));
  const row: Record<string, string | number> = {};
  for (const { name } of illnessFields) {
    if (name.endsWith('Msg')) row[name] = random.pick(['', '', '생후 12개월 이상']);
    else row[name] = hospital[name] ?? random.pick(['Y', 'Y ', 'N', 'N1', '불가능', '정보미제공']);
  }
  return row;
}

function hospitalsIn(
  rows: readonly Row[],
  query: ReadonlyMap<string, string>,
  sidoName: string,
  districtName: string,
): Row[] {
  const sido = query.get(sidoName) ?? '';
  const district = query.get(districtName) ?? '';
  const name = query.get('QN') ?? '';
  const addresses = districts
    .filter((one) => (sido === '' || one.sido.name === sido) && one.name.startsWith(district))
    .map(districtAddress);
  return rows.filter(
    (row) =>
      String(row['dutyName']).includes(name) &&
      ((sido === '' && district === '') ||
        addresses.some((front) => String(row['dutyAddr']).startsWith(`${front} `))),
  );
}
