import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { lazily, type Row } from '../listing.ts';
import { coinedWord } from '../words.ts';
import type { World } from '../world.ts';

/** Buses of the airport: missing values are an empty text or the word None. */
export function airportSources({ seed }: World): Readonly<Record<string, Source>> {
  const rows = lazily(() => Array.from({ length: 120 }, (_, index) => busRow(seed, index)));
  return {
    airport_bus: (query) => {
      const area = query.get('area') ?? '';
      return area === '' ? rows() : rows().filter((row) => row['area'] === area);
    },
  };
}

const towns: readonly (readonly string[])[] = [
  ['강남', '잠실', '종로'],
  ['일산', '수원', '분당'],
  ['부평', '송도'],
  ['춘천', '강릉'],
  ['청주', '천안', '대전'],
  ['전주', '광주', '목포'],
  ['대구', '부산', '포항'],
];

function busRow(seed: number, index: number): Row {
  const random = randomFor(seed, 'airport', index);
  const area = index % towns.length;
  const town = random.pick(towns[area] ?? ['강남']);
  const terminal = random.chance(0.1) ? ` (T${random.whole(1, 2)})` : '';
  const none = random.pick(['', 'None']);
  const hour = (low: number, high: number): string =>
    random.chance(0.9)
      ? `${String(random.whole(low, high)).padStart(2, '0')}:${random.pick(['00', '20', '40'])}`
      : none;
  return {
    area: String(area + 1),
    busnumber: `${9000 + index}(${town})${terminal}`,
    toawfirst: hour(3, 6),
    toawlast: hour(19, 22),
    t1endfirst: hour(5, 7),
    t1endlast: hour(21, 23),
    t2endfirst: hour(5, 7),
    t2endlast: hour(21, 23),
    adultfare: random.chance(0.95) ? String(random.whole(80, 400) * 100) : none,
    busclass: random.pick(['일반', '우등', '고급']),
    cpname: `${coinedWord(random)}고속(예시)`,
    t1wdayt: '05:30, 06:10, 07:00, 08:20, 10:00, 13:00, 16:00, 19:30',
    t1wt: none,
    t2wdayt: '05:10, 05:50, 06:40, 08:00, 09:40, 12:40, 15:40, 19:10',
    t2wt: none,
    routeinfo: `인천공항, ${coinedWord(random)}정류장, ${town}역, ${town}종합터미널`,
    t1ridelo: `${random.whole(1, 12)}${random.pick(['A', 'B'])}`,
    t2ridelo: `${random.whole(1, 40)}`,
  };
}
