import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generate, memoize, matches, slice, type Listing, type Row } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { districts, placeIn } from '../place.ts';
import { dayKst, type World } from '../world.ts';

/** Performances and exhibitions (KCISA): XML only, with text that was escaped once too often. */
export function cultureSources(world: World): Readonly<Record<string, Source>> {
  const events = generate(world.count('gen_period2', 500), (index) => eventOf(world, index));
  const searchable = memoize(() => slice(events, 0, searchableMax));
  return {
    gen_period2: (query) => rowsOf(query.has('to') ? filterByDate(searchable(), query) : events),
    gen_area2: (query) =>
      rowsOf(
        filterByDate(searchable(), query).filter(
          ({ row }) =>
            matches(row['area'], query.get('sido')) &&
            matches(row['sigungu'], query.get('sigungu')),
        ),
      ),
    gen_realm2: (query) =>
      rowsOf(
        filterByDate(searchable(), query).filter(
          ({ realmCode, row }) =>
            realmCode === query.get('realmCode') && matches(row['area'], query.get('sido')),
        ),
      ),
    gen_detail2: (query) => detailRows(events, query.get('seq') ?? ''),
  };
}

interface CultureEvent {
  readonly realmCode: string;
  readonly row: Row;
  readonly detail: Row;
}

/** Most events that a filter searches, so that a request takes bounded time. */
const searchableMax = 20_000;
/** First sequence number; real numbers are lower. */
const seqFirst = 9_000_000;

const makeEvent = recordMaker('culture_event');
const makeDetail = recordMaker('culture_detail');

function eventOf({ seed }: World, index: number): CultureEvent {
  const random = randomFor(seed, 'culture', index);
  const place = placeIn(random, random.pick(districts));
  const { short } = place.district.sido;
  const start = Date.UTC(2026, 0, 1) + random.whole(0, 400) * 86_400_000;
  const { realmCode, ...row } = makeEvent(
    random,
    {
      number: seqFirst + index,
      first: dayKst(start),
      last: dayKst(start, random.whole(0, 60)),
      region: short === '전남광주' ? '전남광주통합' : short,
    },
    place,
  );
  return { realmCode: String(realmCode), row, detail: makeDetail(random, row, place) };
}

/** Filters by `to` only: the real service ignores `from`. */
function filterByDate(
  events: readonly CultureEvent[],
  query: ReadonlyMap<string, string>,
): CultureEvent[] {
  const to = query.get('to') || '99999999';
  return events.filter(({ row }) => String(row['startDate']) <= to);
}

function rowsOf(events: Listing<CultureEvent>): Listing<Row> {
  return { length: events.length, at: (index) => events.at(index)?.row };
}

function detailRows(events: Listing<CultureEvent>, seq: string): Listing<Row> {
  const event = /^\d{1,9}$/.test(seq) ? events.at(Number(seq) - seqFirst) : undefined;
  return event === undefined ? [] : [event.detail];
}
