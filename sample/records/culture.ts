import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generated, lazily, matches, slice, type Listing, type Row } from '../listing.ts';
import { districts, phone, placeIn } from '../place.ts';
import { coinedWord } from '../words.ts';
import { dayKst, type World } from '../world.ts';

/** Performances and exhibitions (KCISA): XML only, with text that was escaped once too often. */
export function cultureSources(world: World): Readonly<Record<string, Source>> {
  const events = generated(world.count('gen_period2', 500), (index) => eventOf(world, index));
  const some = lazily(() => slice(events, 0, filteredMax));
  return {
    gen_period2: (query) => rowsOf(query.has('to') ? byDate(some(), query) : events),
    gen_area2: (query) =>
      rowsOf(
        byDate(some(), query).filter(
          ({ row }) =>
            matches(row['area'], query.get('sido')) &&
            matches(row['sigungu'], query.get('sigungu')),
        ),
      ),
    gen_realm2: (query) =>
      rowsOf(
        byDate(some(), query).filter(
          ({ realmCode, row }) =>
            realmCode === query.get('realmCode') && matches(row['area'], query.get('sido')),
        ),
      ),
    gen_detail2: (query) => oneOf(events, query.get('seq') ?? ''),
  };
}

interface CultureEvent {
  readonly realmCode: string;
  readonly row: Row;
  readonly detail: Row;
}

/** Number of events that a search by area or realm includes. */
const filteredMax = 20_000;
/** First sequence number; real numbers are lower. */
const seqFirst = 9_000_000;

/** A000, B000 and D000 were seen; the table of the agency has more. */
const realms = [
  ['A000', '연극', '소극장'],
  ['B000', '음악/콘서트', '음악당'],
  ['C000', '무용', '무용센터'],
  ['D000', '전시', '전시관'],
  ['L000', '기타', '문화공간'],
] as const;

function eventOf({ seed }: World, index: number): CultureEvent {
  const random = randomFor(seed, 'culture', index);
  const [realmCode, realmName, hall] = random.pick(realms);
  const place = placeIn(random, random.pick(districts));
  const { sido, name } = place.district;
  const start = Date.UTC(2026, 0, 1) + random.whole(0, 400) * 86_400_000;
  const placeName = `${coinedWord(random)} ${hall}`;
  const row: Row = {
    seq: String(seqFirst + index),
    serviceName: '공연/전시',
    title: `<${coinedWord(random)}> ${realmName} & 이야기 '${coinedWord(random)}'(예시)`,
    startDate: dayKst(start),
    endDate: dayKst(start, random.whole(0, 60)),
    place: placeName,
    realmName,
    area: sido.short === '전남광주' ? '전남광주통합' : sido.short,
    sigungu: name,
    thumbnail: '',
    gpsX: String(place.lon),
    gpsY: String(place.lat),
  };
  const { serviceName: _serviceName, thumbnail: _thumbnail, gpsX, gpsY, ...shown } = row;
  const detail: Row = {
    ...shown,
    price: random.pick(['무료', '전석 20,000원', 'R석 50,000원 / S석 30,000원']),
    contents1: `<p>${coinedWord(random)}에서 <b>처음</b> 만나는 &quot;예시&quot; 공연입니다.</p>`,
    url: 'https://example.com/culture',
    phone: phone(random, sido),
    gpsX: gpsX ?? '',
    gpsY: gpsY ?? '',
    imgUrl: '',
    placeUrl: '',
    placeAddr: place.roadAddress,
    placeSeq: random.digits(4),
    subTitle: '',
    contents2: '',
  };
  return { realmCode, row, detail };
}

/** The real filter cannot be relied on either: it looks at `to` and lets everything before `from` in. */
function byDate(
  events: readonly CultureEvent[],
  query: ReadonlyMap<string, string>,
): CultureEvent[] {
  const to = query.get('to') || '99999999';
  return events.filter(({ row }) => String(row['startDate']) <= to);
}

function rowsOf(events: Listing<CultureEvent>): Listing<Row> {
  return { length: events.length, at: (index) => events.at(index)?.row };
}

function oneOf(events: Listing<CultureEvent>, seq: string): Listing<Row> {
  const event = /^\d{1,9}$/.test(seq) ? events.at(Number(seq) - seqFirst) : undefined;
  return event === undefined ? [] : [event.detail];
}
