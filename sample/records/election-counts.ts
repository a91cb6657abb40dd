import type { Source } from '../hosts/operations.ts';
import { generate, numberRows, matches, type Row, type Value } from '../listing.ts';
import type { Committee, Contest } from './contests.ts';
import { contestsFor, type Contests } from './cached-contests.ts';

/** Counted votes, turnout and electors. The first two have rows named 합계, which are the sums of other rows. */
export function countSources(contests: Contests): Readonly<Record<string, Source>> {
  return {
    // A row has 160 columns, so only the rows of the requested page are made.
    nec_xmntck: (query) => {
      const counts = contestsOfCommittees(query, contests).flatMap((contest) =>
        inDistrict(countsOf(contest), query.get('wiwName')),
      );
      return generate(counts.length, (index) => ({ num: index + 1, ...countRow(counts[index]!) }));
    },
    nec_vote_status: (query) => numberRows('num', turnoutRows(contests, query)),
    gen_elpcelcntinfoinqire: (query) =>
      numberRows('num', contestsFor(contests, query).map(electorRow)),
  };
}

/** Contests of a query, regardless of `wiwName`, which selects the rows of a committee instead. */
function contestsOfCommittees(query: ReadonlyMap<string, string>, contests: Contests): Contest[] {
  const rest = new Map(query);
  rest.delete('wiwName');
  if (query.get('sgTypecode') === '1') rest.delete('sdName');
  return contestsFor(contests, rest);
}

function inDistrict(counts: readonly Count[], district: string | undefined): Count[] {
  return counts.filter(({ place }) => matches(place.name, district));
}

const candidateColumns = 50;

/** Counted votes of a place, and the number of their row among the rows of the contest. */
interface Count {
  readonly contest: Contest;
  readonly place: CountedVotes;
  readonly order: number;
}

function countsOf(contest: Contest): Count[] {
  const rows = contest.committees.map(({ sido, name, voters }, index) => ({
    sido,
    name,
    voters,
    votes: contest.votes[index] ?? [],
  }));
  const total = (sido: string, parts: readonly CountedVotes[]): CountedVotes => ({
    sido,
    name: '합계',
    voters: sum(parts.map(({ voters }) => voters)),
    votes: contest.candidates.map((_, index) => sum(parts.map(({ votes }) => votes[index] ?? 0))),
  });
  const country = contest.type === '1' ? [total('전국', rows)] : [];
  const sidos = [...Map.groupBy(rows, ({ sido }) => sido)].map(([sido, parts]) =>
    total(sido, parts),
  );
  return [...country, ...sidos, ...rows].map((place, index) => ({
    contest,
    place,
    order: index + 1,
  }));
}

interface CountedVotes {
  readonly sido: string;
  readonly name: string;
  readonly voters: number;
  readonly votes: readonly number[];
}

function countRow({ contest, place, order }: Count): Row {
  const { sido, name, voters, votes } = place;
  const valid = sum(votes);
  const invalid = Math.floor(valid / 90);
  const row: Record<string, Value> = {
    sgId: contest.sgId,
    sgTypecode: contest.type,
    sggName: contest.constituency,
    sdName: sido,
    wiwName: name,
    sunsu: voters,
    tusu: valid + invalid,
    yutusu: valid,
    mutusu: invalid,
    gigwonsu: voters - valid - invalid,
  };
  for (let index = 0; index < candidateColumns; index++) {
    const person = contest.candidates[index];
    const number = String(index + 1).padStart(2, '0');
    row[`jd${number}`] = person?.party ?? '';
    row[`hbj${number}`] = person?.name ?? '';
    row[`dugsu${number}`] = person === undefined ? '' : (votes[index] ?? 0);
  }
  row['crOrder'] = order;
  return row;
}

function turnoutRows(contests: Contests, query: ReadonlyMap<string, string>): Row[] {
  const type = query.get('sgTypecode') ?? '';
  const ofType = contests(query.get('sgId') ?? '', type);
  const committees = new Map(
    ofType
      .flatMap((contest) => contest.committees)
      .map((committee) => [`${committee.sido} ${committee.name}`, committee]),
  );
  const sums = [...Map.groupBy(committees.values(), ({ sido }) => sido)].map(
    ([sido, inside]): Committee => ({
      sido,
      name: '합계',
      voters: sum(inside.map(({ voters }) => voters)),
    }),
  );
  return [...sums, ...committees.values()]
    .map((committee, index) => turnoutRow(query.get('sgId') ?? '', type, committee, index + 1))
    .filter(
      (row) =>
        matches(row['sdName'], query.get('sdName')) &&
        matches(row['wiwName'], query.get('wiwName')),
    );
}

function turnoutRow(
  sgId: string,
  type: string,
  { sido, name, voters }: Committee,
  order: number,
): Row {
  const early = Math.floor(voters * 0.31);
  const onDay = Math.floor((voters - early) * 0.36);
  return {
    sgId,
    sgTypecode: type,
    sdName: sido,
    wiwName: name,
    totSunsu: voters,
    psSunsu: voters - early,
    psEtcSunsu: early,
    totTusu: early + onDay,
    psTusu: onDay,
    psEtcTusu: early,
    turnout: ((100 * (early + onDay)) / voters).toFixed(1),
    vrOrder: order,
  };
}

/** A row without `sgTypecode`, as in the real operation. */
function electorRow({ sgId, sido, district, constituency, committees }: Contest): Row {
  const electors = sum(committees.map(({ voters }) => voters));
  const men = Math.floor(electors * 0.494);
  const part = (share: number): number => Math.floor(electors * share);
  return {
    sgId,
    sdName: sido,
    wiwName: district,
    sggName: constituency,
    wiwCount: committees.length,
    emdCount: committees.length * 14,
    tpgCount: committees.length * 55,
    ppltCnt: part(1.17),
    ntabPpltCnt: part(0.002),
    frgnrPpltCnt: part(0.003),
    cfmtnElcnt: electors,
    cfmtnRacnt: part(0.001),
    cfmtnFrgnrCnt: part(0.003),
    cfmtnManElcnt: men,
    cfmtnManRacnt: part(0.0005),
    cfmtnManFrgnrCnt: part(0.0015),
    cfmtnFmlElcnt: electors - men,
    cfmtnFmlRacnt: part(0.0005),
    cfmtnFmlFrgnrCnt: part(0.0015),
    cfmtnRdvtDccnt: part(0.0022),
    cfmtnNtabRdvtDccnt: 0,
    cfmtnRdvtManDccnt: part(0.0012),
    cfmtnNtabRdvtManDccnt: 0,
    cfmtnRdvtFmlDccnt: part(0.001),
    cfmtnNtabRdvtFmlDccnt: 0,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
