import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { numberRows, memoize, type Row } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { committeesOf, sampleElections, type Committee } from './contests.ts';

/** Early polling: its places, and the number of voters by day. */
export function pollingSources(seed: number): Readonly<Record<string, Source>> {
  const committees = memoize(
    () => new Map(Object.keys(sampleElections).map((sgId) => [sgId, committeesOf(seed, sgId)])),
  );
  return {
    gen_prepolplcotlnmaptrnsportinfoinqire: (query) =>
      numberRows(
        'num',
        committeesFor(committees(), query).flatMap((one) =>
          placeRows(seed, query.get('sgId') ?? '', one),
        ),
      ),
    gen_ervotingsttusinfoinqire: (query) =>
      (query.get('erVotingDiv') ?? '') in shares
        ? addTotals(committeesFor(committees(), query)).map((one, index) =>
            earlyRow(query, one, index + 1),
          )
        : [],
  };
}

function committeesFor(
  committees: ReadonlyMap<string, readonly Committee[]>,
  query: ReadonlyMap<string, string>,
): Committee[] {
  const [sido, name] = [query.get('sdName') ?? '', query.get('wiwName') ?? ''];
  return (committees.get(query.get('sgId') ?? '') ?? []).filter(
    (one) => (sido === '' || one.sido === sido) && (name === '' || one.name === name),
  );
}

/** The oldest election whose polling places are listed. */
const oldestWithPlaces = '20250101';

const makePlace = recordMaker('polling_place');

function placeRows(seed: number, sgId: string, { sido, name }: Committee): Row[] {
  if (sgId < oldestWithPlaces) return [];
  const random = randomFor(seed, 'polling', sgId, `${sido} ${name}`);
  return Array.from({ length: random.whole(1, 3) }, (_, index) =>
    makePlace(random, { id: sgId, sido, committee: name, n: index + 1 }),
  );
}

function addTotals(committees: readonly Committee[]): Committee[] {
  return [...Map.groupBy(committees, ({ sido }) => sido)].flatMap(([sido, inside]) => {
    const voters = inside.reduce((sum, one) => sum + one.voters, 0);
    return [{ sido, name: '합계', voters }, ...inside];
  });
}

/** Shares of the electors who voted early: on both days, on the first, on the second. */
const shares: Readonly<Record<string, number>> = { 0: 0.31, 1: 0.14, 2: 0.17 };

/** Early voting of a committee. Only in this operation, counts have thousands commas. */
function earlyRow(query: ReadonlyMap<string, string>, one: Committee, order: number): Row {
  const day = query.get('erVotingDiv') ?? '';
  const earlyVoters = Math.floor(one.voters * (shares[day] ?? 0));
  return {
    num: order,
    sgId: query.get('sgId') ?? '',
    erVotingDiv: day,
    sdName: one.sido,
    wiwName: one.name,
    votersCnt: one.voters.toLocaleString('en-US'),
    erVotingCnt: earlyVoters.toLocaleString('en-US'),
    erTurnout: ((100 * earlyVoters) / one.voters).toFixed(2),
    sortOrd: order,
  };
}
