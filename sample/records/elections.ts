import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { numberRows, matches, type Row, type Value } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { phone } from '../place.ts';
import type { World } from '../world.ts';
import { sampleElections, type Contest } from './contests.ts';
import { countSources } from './election-counts.ts';
import { electionHistorySources } from './election-history.ts';
import { cachedContests, contestsFor, type Contests } from './cached-contests.ts';
import { electionDays, electionTypes } from './election-days.ts';
import { pollingSources } from './polling.ts';

/** Everything of the election commission (NEC). */
export function electionSources(world: World): Readonly<Record<string, Source>> {
  const contests = cachedContests(world.seed);
  return {
    ...electionHistorySources,
    ...countSources(contests),
    ...pollingSources(world.seed),
    nec_sgg_code: (query) => numberRows('num', contestsFor(contests, query).map(constituencyRow)),
    nec_winner: (query) =>
      numberRows(
        'num',
        contestsFor(contests, query).map((contest) => personRow(contest, contest.winner, true)),
      ),
    nec_candidates: (query) =>
      numberRows(
        'num',
        contestsFor(contests, query).flatMap((contest) =>
          contest.candidates.map((_, index) => ({
            ...personRow(contest, index, false),
            status: '등록',
          })),
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

function personRow(contest: Contest, index: number, hasCount: boolean): Row {
  const person = contest.candidates[index];
  if (person === undefined) return {};
  const votes = contest.votes.reduce(
    (sum, committeeVotes) => sum + (committeeVotes[index] ?? 0),
    0,
  );
  const allVotes = contest.votes.flat().reduce((sum, count) => sum + count, 0);
  const result: Row = hasCount
    ? { dugsu: votes, dugyul: ((100 * votes) / Math.max(1, allVotes)).toFixed(2) }
    : {};
  return {
    sgId: contest.sgId,
    sgTypecode: contest.type,
    huboid: person.id,
    sggName: contest.constituency,
    sdName: contest.sido,
    wiwName: contest.district,
    giho: index + 1,
    gihoSangse: '',
    jdName: person.party,
    name: person.name,
    hanjaName: '',
    gender: person.gender,
    birthday: person.birthday,
    age: Number(contest.sgId.slice(0, 4)) - Number(person.birthday.slice(0, 4)),
    addr: `${contest.sido} 예시로 1`,
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
  return Object.entries(sampleElections).flatMap(([sgId, { types }]) =>
    types.flatMap((type) =>
      contests(sgId, type).flatMap((contest) =>
        contest.candidates.flatMap((person, index) => {
          if (person.name !== name) return [];
          const { addr: _addr, ...row } = personRow(contest, index, false);
          const elctNm = electionDays.find(({ id }) => id === sgId)?.name ?? '';
          return [{ ...row, elctNm, elcoYn: index === contest.winner ? 'Y' : 'N' }];
        }),
      ),
    ),
  );
}

/** Types of elections whose candidates publish pledges. */
const pledgeTypes = ['1', '3', '4', '11'];
const pledgesMax = 10;
const realms = ['교통', '복지', '교육', '문화', '환경', '산업경제'] as const;

function pledgeRows(seed: number, contests: Contests, query: ReadonlyMap<string, string>): Row[] {
  const id = query.get('cnddtId') ?? '';
  const [sgId = '', type = ''] = [query.get('sgId'), query.get('sgTypecode')];
  if (!pledgeTypes.includes(type)) return [];
  for (const contest of contests(sgId, type)) {
    const person = contest.candidates.find((candidate) => candidate.id === id);
    if (person === undefined) continue;
    const random = randomFor(seed, 'pledge', id);
    // One candidate in twelve has no pledges.
    const count = random.chance(1 / 12) ? 0 : random.whole(1, 5);
    if (count === 0) return [];
    const row: Record<string, Value> = {
      num: 1,
      sgId,
      sgTypecode: type,
      cnddtId: id,
      sggName: contest.constituency,
      sidoName: contest.sido,
      wiwName: contest.district,
      partyName: person.party,
      krName: person.name,
      cnName: '',
      prmsCnt: count,
    };
    for (let index = 1; index <= pledgesMax; index++) {
      const hasPledge = index <= count;
      row[`prmsOrd${index}`] = hasPledge ? index : '';
      row[`prmsRealmName${index}`] = hasPledge ? random.pick(realms) : '';
      row[`prmsTitle${index}`] = hasPledge ? `예시 공약 ${index}: 걷기 좋은 마을` : '';
      row[`prmmCont${index}`] = hasPledge
        ? `□ 목표\n○ 이 공약은 예시입니다.\n○ 연락처 ${phone(random)}`
        : '';
    }
    return [row];
  }
  return [];
}

const makeByElection = recordMaker('by_election');

function byElectionRows(seed: number, day: string): Row[] {
  const election = electionDays.find(({ id, name }) => id === day && /재보궐|지방/.test(name));
  if (election === undefined) return [];
  const type = election.types.includes('2') ? '2' : '4';
  // The seats fell vacant in the year before.
  const inputs = { type, name: electionTypes[type] ?? '', year: Number(day.slice(0, 4)) - 1 };
  const random = randomFor(seed, 'by-election', day);
  return Array.from({ length: random.whole(1, 6) }, (_, index) =>
    makeByElection(random, { ...inputs, n: index + 1 }),
  );
}
