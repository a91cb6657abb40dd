import { randomFor, hashOf, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import type { Row } from '../listing.ts';
import { recordMaker, type PatternKind } from '../patterns.ts';
import { sidos } from '../place.ts';
import { Refusal } from '../refusal.ts';
import { dayKst, timeKst, type World } from '../world.ts';
import officeSidos from './warning-offices.json' with { type: 'json' };

/** Weather warnings, news and earthquakes (KMA): only those of the last days are available. */
export function warningSources(world: World): Readonly<Record<string, Source>> {
  const listSource = (kind: string, name: string): Source =>
    bulletinSource(world, kind, 'bulletin', { name });
  return {
    gen_wthrwrnlist: listSource('warning', '특보'),
    gen_wthrpwnlist: listSource('preliminary', '예비특보'),
    gen_wthrinfolist: listSource('information', '기상정보'),
    gen_wthrbrknewslist: listSource('news', '속보'),
    gen_wthrwrnmsg: bulletinSource(world, 'warning', 'warning_message'),
    gen_wthrpwn: bulletinSource(world, 'preliminary', 'preliminary_message'),
    gen_wthrinfo: bulletinSource(world, 'information', 'information_message'),
    gen_wthrbrknews: bulletinSource(world, 'news', 'news_message'),
    gen_pwnstatus: () =>
      bulletinSource(world, 'warning', 'warnings_in_force')(new Map([['stnId', '108']])),
    gen_eqkmsg: (query) => earthquakes(world, query).map(({ title: _title, ...row }) => row),
    gen_eqkmsglist: (query) => earthquakes(world, query),
  };
}

/** Bulletins of a kind that match a query, as records of a pattern. */
function bulletinSource(world: World, kind: string, pattern: PatternKind, extra: Row = {}): Source {
  const make = recordMaker(pattern);
  return (query) =>
    filterBulletins(bulletins(world, kind), query).map((one) =>
      make(randomFor(world.seed, pattern, one.tmFc), { ...one, ...extra }),
    );
}

interface Bulletin extends Row {
  readonly office: string;
  readonly year: string;
  readonly month: string;
  readonly date: string;
  readonly hour: string;
  readonly tmFc: string;
  readonly number: number;
  readonly weather: string;
  readonly area: string;
}

/** Issuing offices and the codes of the sido that each covers; office 108 covers the country. */
const offices: readonly (readonly [code: string, sidos: readonly string[]])[] = [
  ['108', sidos.map(({ code }) => code)],
  ...Object.entries(officeSidos),
];
const weathers = ['강풍', '호우', '풍랑', '건조', '대설', '한파', '폭염'] as const;
const warningDays = 6;
const earthquakeDays = 3;

/** Bulletins of the last days until this moment, newest day first. */
function bulletins({ seed, now }: World, kind: string): Bulletin[] {
  const moment = now();
  const until = `${dayKst(moment)}${timeKst(moment)}`;
  const days = Array.from({ length: warningDays + 1 }, (_, back) => dayKst(moment, -back));
  return days.flatMap((day) =>
    offices
      .flatMap(([office, area]) =>
        bulletinsOfDay(randomFor(seed, kind, office, day), office, area, day),
      )
      .filter(({ tmFc }) => tmFc <= until),
  );
}

function bulletinsOfDay(
  random: SeededRandom,
  office: string,
  area: readonly string[],
  day: string,
): Bulletin[] {
  const first = Number(day.slice(6)) * 4;
  return Array.from({ length: random.whole(1, 3) }, (_, index) => {
    const hour = String(index * 7 + random.whole(0, 6)).padStart(2, '0');
    return {
      office,
      year: day.slice(0, 4),
      month: day.slice(4, 6),
      date: day.slice(6),
      hour,
      tmFc: `${day}${hour}${random.pick(['00', '30'])}`,
      number: first + index,
      weather: `${random.pick(weathers)}${random.pick(['주의보', '주의보', '경보'])}`,
      area: area.slice(0, 4).map(sidoName).join(', '),
    };
  });
}

function sidoName(code: string): string {
  return sidos.find((sido) => sido.code === code)?.name ?? code;
}

/** Filters by office and time. A time with fewer digits stands for all times that begin with it: `20261121` is a day. */
function filterBulletins(all: readonly Bulletin[], query: ReadonlyMap<string, string>): Bulletin[] {
  const office = query.get('stnId') ?? '';
  const from = query.get('fromTmFc') ?? '';
  const to = query.get('toTmFc') || '9';
  return all.filter(
    (one) =>
      (office === '' || one.office === office) &&
      one.tmFc >= from &&
      one.tmFc.slice(0, to.length) <= to,
  );
}

/** Earthquakes of the last days at invented places. */
function earthquakes({ seed, now }: World, query: ReadonlyMap<string, string>): Row[] {
  const oldest = dayKst(now(), -earthquakeDays);
  const from = (query.get('fromTmFc') ?? '').slice(0, 8);
  const to = (query.get('toTmFc') ?? '').slice(0, 8);
  if (!/^\d{8}$/.test(from) || !/^\d{8}$/.test(to) || from > to)
    throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR');
  if (from < oldest) throw new Refusal('10', '최근 3일 간의 자료만 제공합니다.');
  const until = Number(`${dayKst(now())}${timeKst(now())}`);
  return Array.from({ length: earthquakeDays + 1 }, (_, back) => dayKst(now(), -back))
    .filter((day) => day >= from && day <= to)
    .flatMap((day) => [0, 1].map((index) => earthquakeRow(seed, day, index)))
    .filter((row) => Number(row['tmFc']) <= until);
}

const makeEarthquake = recordMaker('earthquake');

function earthquakeRow(seed: number, day: string, index: number): Row {
  const random = randomFor(seed, 'earthquake', day, index);
  const sido = random.pick(sidos);
  const time = `${String(index * 11 + random.whole(0, 10)).padStart(2, '0')}${String(random.whole(0, 50)).padStart(2, '0')}`;
  const at = Number(`${day}${time}`);
  const tmSeq = (hashOf(seed, day) % 20) + index + 1;
  return {
    ...makeEarthquake(random, {
      sido: sido.short,
      magnitude: random.whole(20, 34) / 10,
      tmFc: at + 4,
      tmSeq,
      tmEqk: at * 100 + random.whole(0, 59),
    }),
    lat: 34 + random.whole(0, 400) / 100,
    lon: 126 + random.whole(0, 300) / 100,
  };
}
