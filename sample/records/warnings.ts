import { randomFor, hashOf, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import type { Row } from '../listing.ts';
import { sidos } from '../place.ts';
import { Refusal } from '../refusal.ts';
import { dayKst, timeKst, type World } from '../world.ts';

/** Weather warnings, news and earthquakes (KMA): only those of the last days are available. */
export function warningSources(world: World): Readonly<Record<string, Source>> {
  const kept = (kind: string) => bulletins(world, kind);
  const listed =
    (kind: string, title: string): Source =>
    (query) =>
      chosen(kept(kind), query).map((one) => ({
        stnId: one.office,
        title: `[특보] 제${one.day.slice(4, 6)}-${one.number}호 : ${one.tmFc} / ${one.weather} ${title}(예시)`,
        tmFc: one.tmFc,
        tmSeq: one.number,
      }));
  return {
    gen_wthrwrnlist: listed('warning', '특보'),
    gen_wthrpwnlist: listed('preliminary', '예비특보'),
    gen_wthrinfolist: listed('information', '기상정보'),
    gen_wthrbrknewslist: listed('news', '속보'),
    gen_wthrwrnmsg: (query) => chosen(kept('warning'), query).map(messageRow),
    gen_wthrpwn: (query) =>
      chosen(kept('preliminary'), query).map((one) => ({
        ...headOf(one),
        pwn: `o ${one.weather} 예비특보\n${one.area}`,
        rem: '',
      })),
    gen_wthrinfo: (query) =>
      chosen(kept('information'), query).map((one) => ({
        ...headOf(one),
        t1: `${one.area}에 ${one.weather}가 예상됩니다.\n이 글은 예시입니다.`,
      })),
    gen_wthrbrknews: (query) =>
      chosen(kept('news'), query).map((one) => ({
        ...headOf(one),
        cnt: 1,
        ann: `${one.area} ${one.weather} 진행 중입니다(예시).`,
      })),
    gen_pwnstatus: () =>
      kept('warning')
        .filter(({ office }) => office === '108')
        .map((one) => ({
          tmFc: one.tmFc,
          tmSeq: one.number,
          tmEf: one.tmFc,
          t6: `o ${one.weather} : ${one.area}`,
          t7: 'o 없음',
          other: 'o 없음',
        })),
    gen_eqkmsg: (query) => earthquakes(world, query).map(({ title: _title, ...row }) => row),
    gen_eqkmsglist: (query) => earthquakes(world, query),
  };
}

interface Bulletin {
  readonly office: string;
  readonly day: string;
  readonly tmFc: string;
  readonly number: number;
  readonly weather: string;
  readonly area: string;
}

/** Issuing offices and the sido they speak for; 108 speaks for the country. */
const offices: readonly (readonly [code: string, sidos: readonly string[]])[] = [
  ['108', sidos.map(({ code }) => code)],
  ['109', ['11', '28', '41']],
  ['159', ['26', '31', '48']],
  ['143', ['27', '47']],
  ['156', ['12']],
  ['146', ['52']],
  ['133', ['30', '36', '44']],
  ['131', ['43']],
  ['105', ['51']],
  ['184', ['50']],
];
const weathers = ['강풍', '호우', '풍랑', '건조', '대설', '한파', '폭염'] as const;
const warningDays = 6;
const earthquakeDays = 3;

/** Everything issued in the last days and not after this moment, newest first. */
function bulletins({ seed, now }: World, kind: string): Bulletin[] {
  const moment = now();
  const until = `${dayKst(moment)}${timeKst(moment)}`;
  const days = Array.from({ length: warningDays + 1 }, (_, back) => dayKst(moment, -back));
  return days.flatMap((day) =>
    offices
      .flatMap(([office, area]) => ofDay(randomFor(seed, kind, office, day), office, area, day))
      .filter(({ tmFc }) => tmFc <= until),
  );
}

function ofDay(
  random: SeededRandom,
  office: string,
  area: readonly string[],
  day: string,
): Bulletin[] {
  const first = Number(day.slice(6)) * 4;
  return Array.from({ length: random.whole(1, 3) }, (_, index) => ({
    office,
    day,
    tmFc: `${day}${String(index * 7 + random.whole(0, 6)).padStart(2, '0')}${random.pick(['00', '30'])}`,
    number: first + index,
    weather: `${random.pick(weathers)}${random.pick(['주의보', '주의보', '경보'])}`,
    area: area.slice(0, 4).map(sidoName).join(', '),
  }));
}

function sidoName(code: string): string {
  return sidos.find((sido) => sido.code === code)?.name ?? code;
}

/** Times are compared as far as they are given: `20261121` is the whole day. */
function chosen(all: readonly Bulletin[], query: ReadonlyMap<string, string>): Bulletin[] {
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

function headOf({ office, tmFc, number }: Bulletin): Row {
  return { stnId: office, tmFc, tmSeq: number };
}

function messageRow(one: Bulletin): Row {
  return {
    ...headOf(one),
    warFc: '1',
    t1: `${one.weather} 발표`,
    t2: `(1) ${one.weather} : ${one.area}`,
    t3: `(1) ${one.tmFc.slice(0, 4)}년 ${Number(one.tmFc.slice(4, 6))}월 ${Number(one.tmFc.slice(6, 8))}일 ${one.tmFc.slice(8, 10)}시`,
    t4: '예시로 만든 통보문입니다.',
    t5: one.tmFc,
    t6: `o ${one.weather} : ${one.area}`,
    t7: 'o 없음',
    other: 'o 없음',
  };
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

function earthquakeRow(seed: number, day: string, index: number): Row {
  const random = randomFor(seed, 'earthquake', day, index);
  const sido = random.pick(sidos);
  const time = `${String(index * 11 + random.whole(0, 10)).padStart(2, '0')}${String(random.whole(0, 50)).padStart(2, '0')}`;
  const magnitude = random.whole(20, 34) / 10;
  return {
    stnId: 108,
    title: `[지진정보] ${sido.short} 규모 ${magnitude}(예시)`,
    fcTp: 3,
    tmFc: Number(`${day}${time}`) + 4,
    tmSeq: (hashOf(seed, day) % 20) + index + 1,
    cnt: 1,
    tmEqk: Number(`${day}${time}${String(random.whole(0, 59)).padStart(2, '0')}`),
    lat: 34 + random.whole(0, 400) / 100,
    lon: 126 + random.whole(0, 300) / 100,
    loc: `${sido.short} ${random.pick(['동쪽', '서쪽', '남쪽', '북쪽'])} ${random.whole(3, 90)}km ${random.pick(['해역', '지역'])}`,
    mt: magnitude,
    inT: random.pick(['최대진도 Ⅰ', '최대진도 Ⅱ', '최대진도 Ⅲ']),
    dep: random.whole(5, 20),
    img: 'https://example.com/earthquake.png',
    rem: '예시로 만든 통보문입니다.',
    cor: '',
  };
}
