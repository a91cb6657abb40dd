import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { numbered, matches, type Row, type Value } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { phone } from '../place.ts';
import type { World } from '../world.ts';
import { heldElections, type Contest } from './contests.ts';
import { countSources } from './election-counts.ts';
import { electionHistorySources } from './election-history.ts';
import { heldContests, located, type Contests } from './held-contests.ts';
import { electionDays, electionTypes } from './election-days.ts';
import { pollingSources } from './polling.ts';

/** Everything of the election commission (NEC). */
export function electionSources(world: World): Readonly<Record<string, Source>> {
  const contests = heldContests(world.seed);
  return {
    ...electionHistorySources,
    ...countSources(contests),
    ...pollingSources(world.seed),
    nec_sgg_code: (query) => numbered('num', located(contests, query).map(constituencyRow)),
    nec_winner: (query) =>
      numbered(
        'num',
        located(contests, query).map((one) => personRow(one, one.winner, true)),
      ),
    nec_candidates: (query) =>
      numbered(
        'num',
        located(contests, query).flatMap((one) =>
          one.candidates.map((_, index) => ({ ...personRow(one, index, false), status: '등록' })),
        ),
      ).filter((row) => matches(row['jdName'], query.get('jdName'))),
    nec_candidate_search: (query) => searchRows(contests, query.get('name') ?? ''),
    nec_pledge: (query) => pledgeRows(world.seed, contests, query),
    nec_rpbe: (query) => byElectionRows(world.seed, query.get('sgExctDate') ?? ''),
  };
}

function constituencyRow(
  { sgId, type, sido, district, constituency }: Contest,
  index: number,
): Row {
  return {
    sgId,
    sgTypecode: type,
    sdName: sido,
    wiwName: district,
    sggName: constituency,
    sggJungsu: 1,
    sOrder: index + 1,
  };
}

function personRow(one: Contest, index: number, counted: boolean): Row {
  const person = one.candidates[index];
  if (person === undefined) return {};
  const votes = one.votes.reduce((sum, inCommittee) => sum + (inCommittee[index] ?? 0), 0);
  const all = one.votes.flat().reduce((sum, count) => sum + count, 0);
  const result: Row = counted
    ? { dugsu: votes, dugyul: ((100 * votes) / Math.max(1, all)).toFixed(2) }
    : {};
  return {
    sgId: one.sgId,
    sgTypecode: one.type,
    huboid: person.id,
    sggName: one.constituency,
    sdName: one.sido,
    wiwName: one.district,
    giho: index + 1,
    gihoSangse: '',
    jdName: person.party,
    name: person.name,
    hanjaName: '',
    gender: person.gender,
    birthday: person.birthday,
    age: Number(one.sgId.slice(0, 4)) - Number(person.birthday.slice(0, 4)),
    addr: `${one.sido} 예시로 1`,
    jobId: '90',
    job: person.job,
    eduId: '90',
    edu: person.education,
    career1: '(예시) 가상위원회 위원',
    career2: '(예시) 보기모임 회장',
    ...result,
  };
}

function searchRows(contests: Contests, name: string): Row[] {
  return Object.entries(heldElections).flatMap(([sgId, { types }]) =>
    types.flatMap((type) =>
      contests(sgId, type).flatMap((one) =>
        one.candidates.flatMap((person, index) => {
          if (person.name !== name) return [];
          const { addr: _addr, ...row } = personRow(one, index, false);
          const elctNm = electionDays.find(({ id }) => id === sgId)?.name ?? '';
          return [{ ...row, elctNm, elcoYn: index === one.winner ? 'Y' : 'N' }];
        }),
      ),
    ),
  );
}

/** Only these candidates publish pledges, and one in twelve has none. */
const pledgeTypes = ['1', '3', '4', '11'];
const pledgesMax = 10;
const realms = ['교통', '복지', '교육', '문화', '환경', '산업경제'] as const;

function pledgeRows(seed: number, contests: Contests, query: ReadonlyMap<string, string>): Row[] {
  const id = query.get('cnddtId') ?? '';
  const [sgId = '', type = ''] = [query.get('sgId'), query.get('sgTypecode')];
  if (!pledgeTypes.includes(type)) return [];
  for (const one of contests(sgId, type)) {
    const person = one.candidates.find((candidate) => candidate.id === id);
    if (person === undefined) continue;
    const random = randomFor(seed, 'pledge', id);
    const count = random.chance(1 / 12) ? 0 : random.whole(1, 5);
    if (count === 0) return [];
    const row: Record<string, Value> = {
      num: 1,
      sgId,
      sgTypecode: type,
      cnddtId: id,
      sggName: one.constituency,
      sidoName: one.sido,
      wiwName: one.district,
      partyName: person.party,
      krName: person.name,
      cnName: '',
      prmsCnt: count,
    };
    for (let index = 1; index <= pledgesMax; index++) {
      const given = index <= count;
      row[`prmsOrd${index}`] = given ? index : '';
      row[`prmsRealmName${index}`] = given ? random.pick(realms) : '';
      row[`prmsTitle${index}`] = given ? `예시 공약 ${index}: 걷기 좋은 마을` : '';
      row[`prmmCont${index}`] = given
        ? `□ 목표\n○ 이 공약은 예시입니다.\n○ 연락처 ${phone(random)}`
        : '';
    }
    return [row];
  }
  return [];
}

const makeByElection = recordMaker('by_election');

function byElectionRows(seed: number, day: string): Row[] {
  const held = electionDays.find(({ id, name }) => id === day && /재보궐|지방/.test(name));
  if (held === undefined) return [];
  const type = held.types.includes('2') ? '2' : '4';
  const known = { type, name: electionTypes[type] ?? '', year: Number(day.slice(0, 4)) - 1 };
  const random = randomFor(seed, 'by-election', day);
  return Array.from({ length: random.whole(1, 6) }, (_, index) =>
    makeByElection(random, { ...known, n: index + 1 }),
  );
}
