import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generate, filter, type Listing, type Row } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { districts, placeIn } from '../place.ts';
import type { World } from '../world.ts';
import { busCities, type BusCity } from './bus-cities.ts';

/** Bus stops and routes of the cities that share the national service (TAGO). */
export function busSources(world: World): Readonly<Record<string, Source>> {
  const stops = cityListings(world.count('tago_busstops', 3500), (city, index) =>
    stopRow(world, city, index),
  );
  const routes = cityListings(world.count('tago_busroute', 1000), (city, index) =>
    routeRow(world, city, index),
  );
  const cities = busCities.map(({ code, name }) => ({ citycode: code, cityname: name }));
  return {
    tago_stop_cities: () => cities,
    tago_route_cities: () => cities,
    tago_busstops: (query) => {
      const inCity = stops(query.get('cityCode') ?? '');
      const [name, number] = [query.get('nodeNm') ?? '', query.get('nodeNo') ?? ''];
      if (name === '' && number === '') return inCity;
      return filter(
        inCity,
        (row) =>
          String(row['nodenm']).includes(name) &&
          (number === '' || String(row['nodeno']) === number),
      );
    },
    tago_busroute: (query) => {
      const inCity = routes(query.get('cityCode') ?? '');
      const number = query.get('routeNo') ?? '';
      return number === ''
        ? inCity
        : filter(inCity, (row) => String(row['routeno']).includes(number));
    },
    tago_route_detail: (query) =>
      filter(
        routes(query.get('cityCode') ?? ''),
        (row) => row['routeid'] === query.get('routeId'),
      ).map(({ citycode: _code, cityname: _name, ...row }) => ({
        ...row,
        ...headway(world, String(row['routeid'])),
      })),
  };
}

/** 양양군, a city without a stop or route, as on the real service. */
const emptyCity = '32410';

/** Divides the records evenly among the cities. Each city numbers its records from 0. */
function cityListings(
  count: number,
  make: (city: BusCity, index: number) => Row,
): (code: string) => Listing<Row> {
  const cities = busCities.filter(({ code }) => code !== emptyCity);
  return (code) => {
    const position = cities.findIndex((city) => city.code === code);
    const city = cities[position];
    if (city === undefined) return [];
    const from = Math.round((count * position) / cities.length);
    const to = Math.round((count * (position + 1)) / cities.length);
    return generate(to - from, (index) => make(city, index));
  };
}

const makeStop = recordMaker('bus_stop');

function stopRow({ seed }: World, city: BusCity, index: number): Row {
  const { code, name } = city;
  const random = randomFor(seed, 'stop', code, index);
  const place = placeIn(
    random,
    city.districts[index % Math.max(1, city.districts.length)] ?? random.pick(districts),
  );
  return makeStop(random, { code, name, n: index + 1 }, place);
}

function routeRow({ seed }: World, city: BusCity, index: number): Row {
  const { code, name } = city;
  const random = randomFor(seed, 'route', code, index);
  const { dongs } = city.districts[0] ?? random.pick(districts);
  const hasTimes = random.chance(0.85);
  return {
    citycode: code,
    cityname: name,
    endnodenm: `${random.pick(dongs)}종점`,
    ...(hasTimes ? { endvehicletime: `2${random.whole(0, 3)}${random.pick(['00', '30'])}` } : {}),
    routeid: `SMB${code}R${String(index + 1).padStart(4, '0')}`,
    routeno: random.chance(0.2)
      ? `${random.whole(1, 99)}-${random.whole(1, 9)}`
      : String(random.whole(1, 999)),
    routetp: random.pick(['일반버스', '좌석버스', '마을버스', '급행버스', '농어촌버스']),
    startnodenm: `${random.pick(dongs)}기점`,
    ...(hasTimes
      ? { startvehicletime: `0${random.whole(5, 7)}${random.pick(['00', '20', '40'])}` }
      : {}),
  };
}

function headway({ seed }: World, routeId: string): Row {
  const minutes = randomFor(seed, 'headway', routeId).whole(6, 90);
  return { intervaltime: minutes, intervalsattime: minutes + 5, intervalsuntime: minutes + 10 };
}
