import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { filter, type Listing, type Row } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { placeIn, type District } from '../place.ts';
import { Refusal } from '../refusal.ts';
import { signFor } from '../words.ts';
import type { World } from '../world.ts';
import { spread, type Spread } from './spread.ts';
import { filterTrades, tradeColumns, tradeIndex, tradeSource, tradeTable } from './trade-lists.ts';
import { trades, type Trade } from './trades.ts';

/** Shops, trade areas and the code tables of trades (SBIZ). */
export function storeSources(world: World): Readonly<Record<string, Source>> {
  const stores = spread(world.count('gen_storelist', 9000), (index, district) =>
    storeRow(world, index, district),
  );
  const zones = spread(world.count('gen_storezoneinadmi', 500), (index, district) =>
    zoneRow(world, index, district),
  );
  return {
    gen_storelist: (query) => filterTrades(inRegion(stores, query), query),
    sbiz_stores_by_trade: tradeSource(world.seed, stores),
    gen_storezoneinadmi: (query) => inRegion(zones, query),
    gen_storezoneone: (query) => oneZone(zones, query.get('key') ?? ''),
    gen_largeupjonglist: () => tradeTable('large'),
    gen_middleupjonglist: (query) => filterTrades(tradeTable('middle'), query),
    gen_smallupjonglist: (query) => filterTrades(tradeTable('small'), query),
  };
}

const zoneNumberFirst = 90_000;

function inRegion(records: Spread, query: ReadonlyMap<string, string>): Listing<Row> {
  const key = query.get('key') ?? '';
  switch (query.get('divId')) {
    case 'ctprvnCd':
      return /^\d{2}$/.test(key) ? records.withCode(key) : [];
    case 'signguCd':
      return /^\d{5}$/.test(key) ? records.withCode(key) : [];
    case 'adongCd':
      return filter(records.withCode(key.slice(0, 5)), (row) => row['adongCd'] === key);
    default:
      throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR(divId)');
  }
}

function oneZone(zones: Spread, key: string): Listing<Row> {
  const row = /^\d{1,9}$/.test(key) ? zones.at(Number(key) - zoneNumberFirst) : undefined;
  return row === undefined ? [] : [row];
}

const makeStore = recordMaker('store');

function storeRow({ seed }: World, index: number, district: District): Row {
  const random = randomFor(seed, 'store', index);
  const place = placeIn(random, district);
  const trade = trades[tradeIndex(seed, index)] ?? random.pick(trades);
  // No real dong has the digits 900 to 999.
  const dong = `${district.code}${900 + (place.dongIndex % 100)}`;
  const inputs = { n: index + 1, dong5: `${dong}0`, dong9: `${dong}00` };
  return {
    bizesNm: signFor(random, kindOf(trade)),
    ksicCd: `${trade.largeCode.slice(0, 1)}${random.digits(5)}`,
    ksicNm: trade.name,
    ...tradeColumns(trade),
    ...regionColumns(district),
    ...makeStore(random, inputs, place),
    lnoSlno: place.lotSide === 0 ? '' : place.lotSide,
  };
}

/** The kind of shop on a sign: `여성 의류` for the trade `여성 의류 소매업`. */
function kindOf({ name }: Trade): string {
  return name.replace(/ ?(?:소매업|수리업|전문|업)$/, '').split('/')[0] ?? name;
}

function regionColumns({ code, name, sido }: District): Row {
  return { ctprvnCd: sido.code, ctprvnNm: sido.name, signguCd: code, signguNm: name };
}

function zoneRow({ seed }: World, index: number, district: District): Row {
  const random = randomFor(seed, 'zone', index);
  const { dong, lat, lon } = placeIn(random, district);
  const corners = random.whole(5, 9);
  return {
    trarNo: zoneNumberFirst + index,
    mainTrarNm: `${dong}_${random.whole(1, 9)}`,
    ...regionColumns(district),
    trarArea: random.whole(40_000, 900_000),
    coordNum: corners + 1,
    coords: `POLYGON ((${ringAround(lat, lon, corners).join(', ')}))`,
    stdrDt: '2026-09-30',
  };
}

/** Corners of a closed polygon as `longitude latitude`. The last repeats the first. */
function ringAround(lat: number, lon: number, corners: number): string[] {
  return Array.from({ length: corners + 1 }, (_, index) => {
    const angle = (2 * Math.PI * (index % corners)) / corners;
    return `${(lon + 0.003 * Math.cos(angle)).toFixed(7)} ${(lat + 0.0024 * Math.sin(angle)).toFixed(7)}`;
  });
}
