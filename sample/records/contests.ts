import { regionsOn, type Region } from '../../src/data/regions/region-table.ts';
import { randomFor, type SeededRandom } from '../seeded-random.ts';
import { personName } from '../words.ts';

/**
 * Elections with invented candidates and counts: the types of each, and the date of its region names. The commission
 * counted the election of 2026-06-03 under the names of July.
 */
export const sampleElections: Readonly<Record<string, SampleElection>> = {
  20240410: { types: ['2'], regionDate: '2024-04-10' },
  20250603: { types: ['1'], regionDate: '2025-06-03' },
  20260603: { types: ['3', '4', '11'], regionDate: '2026-07-01' },
};

interface SampleElection {
  readonly types: readonly string[];
  readonly regionDate: string;
}

/** The election of one person, with invented candidates and counts that add up. */
export interface Contest {
  readonly sgId: string;
  readonly type: string;
  readonly constituency: string;
  /** `전국` for the president. */
  readonly sido: string;
  /** Empty if the constituency is a whole sido or the country. */
  readonly district: string;
  readonly committees: readonly Committee[];
  readonly candidates: readonly Candidate[];
  /** Votes by committee and candidate, in their orders. */
  readonly votes: readonly (readonly number[])[];
  readonly winner: number;
}

/** A 구·시·군 that counted votes; `수원시장안구` is written without a space here. */
export interface Committee {
  readonly sido: string;
  readonly name: string;
  readonly voters: number;
}

interface Candidate {
  readonly id: string;
  readonly party: string;
  readonly name: string;
  readonly gender: string;
  readonly birthday: string;
  readonly job: string;
  readonly education: string;
}

/** Every contest of one type in an election; empty for other elections and types. */
export function contestsOf(seed: number, sgId: string, type: string): Contest[] {
  const election = sampleElections[sgId];
  if (election === undefined || !election.types.includes(type)) return [];
  const committees = committeesOf(seed, sgId);
  const first = (Number(sgId.slice(2, 4)) * 100 + Number(type)) * 10_000;
  return areasOf(type, committees, election.regionDate).map((area, index) =>
    contest(seed, sgId, type, area, first + index * 10),
  );
}

export function committeesOf(seed: number, sgId: string): Committee[] {
  const election = sampleElections[sgId];
  if (election === undefined) return [];
  const current = regionsOn(election.regionDate);
  const parents = new Set(current.map(({ parent }) => parent));
  const sidos = current.filter(({ level }) => level === 'sido');
  return sidos.flatMap((sido) => {
    const districts = current.filter((one) => isBelow(one, sido) && !parents.has(one.code));
    const regions = districts.length === 0 ? [sido] : districts;
    return regions.map(({ code, name }) => ({
      sido: sido.name,
      name: name.replace(' ', ''),
      voters: randomFor(seed, 'voters', sgId, code).whole(18_000, 420_000),
    }));
  });
}

function isBelow(region: Region, sido: Region): boolean {
  return region.level === 'sigungu' && region.code.startsWith(sido.code);
}

interface Area {
  readonly constituency: string;
  readonly sido: string;
  readonly district: string;
  readonly committees: readonly Committee[];
}

function areasOf(type: string, committees: readonly Committee[], regionDate: string): Area[] {
  if (type === '1') return [{ constituency: '대한민국', sido: '전국', district: '', committees }];
  const bySido = [...Map.groupBy(committees, ({ sido }) => sido)];
  if (type === '3' || type === '11')
    return bySido.map(([sido, areaCommittees]) => ({
      constituency: sido,
      sido,
      district: '',
      committees: areaCommittees,
    }));
  return type === '4' ? cityAreas(committees, regionDate) : assemblyAreas(committees);
}

/** A city with 일반구 elects one mayor; 세종 and the cities of 제주 elect none. */
function cityAreas(committees: readonly Committee[], regionDate: string): Area[] {
  const withMayor = committees.filter(({ sido }) => !/^(?:세종|제주)/.test(sido));
  const cities = regionsOn(regionDate)
    .filter(({ level, name }) => level === 'sigungu' && name.includes(' '))
    .map(({ name }) => name.split(' ')[0] ?? '');
  const cityOf = ({ name }: Committee): string =>
    cities.find((city) => name.startsWith(city) && name !== city) ?? name;
  return [...Map.groupBy(withMayor, (one) => `${one.sido} ${cityOf(one)}`)].map(
    ([key, areaCommittees]) => {
      const [sido = '', city = ''] = key.split(' ');
      return { constituency: city, sido, district: city, committees: areaCommittees };
    },
  );
}

/** One seat for a small committee, two for a large one. */
function assemblyAreas(committees: readonly Committee[]): Area[] {
  return committees.flatMap((committee) => {
    const { sido, name, voters } = committee;
    const parts = voters > 300_000 ? ['갑', '을'] : [''];
    return parts.map((part) => ({
      constituency: `${name}${part}`,
      sido,
      district: name,
      committees: [{ ...committee, voters: Math.floor(voters / parts.length) }],
    }));
  });
}

function contest(seed: number, sgId: string, type: string, area: Area, firstId: number): Contest {
  const random = randomFor(seed, 'contest', sgId, type, `${area.sido} ${area.constituency}`);
  const count = type === '1' ? 5 : type === '4' ? 2 : random.whole(2, 3);
  const candidates = Array.from({ length: count }, (_, index) =>
    candidate(random, index, String(900_000_000 + firstId + index)),
  );
  const votes = area.committees.map(({ voters }) =>
    shares(random, Math.floor(voters * 0.55), count),
  );
  const totals = candidates.map((_, index) =>
    votes.reduce((sum, one) => sum + (one[index] ?? 0), 0),
  );
  return { ...area, sgId, type, candidates, votes, winner: totals.indexOf(Math.max(...totals)) };
}

/** Names that no real party has. */
const parties = ['예시가당', '예시나당', '예시다당', '예시라당', '무소속'] as const;

function candidate(random: SeededRandom, index: number, id: string): Candidate {
  return {
    id,
    party: parties[index] ?? '무소속',
    name: personName(random),
    gender: random.pick(['남', '여']),
    birthday: `19${random.whole(55, 89)}${String(random.whole(1, 12)).padStart(2, '0')}${String(random.whole(1, 28)).padStart(2, '0')}`,
    job: random.pick(['정당인', '회사원', '교육자', '변호사', '농업', '상업']),
    education: random.pick(['예시대학교 졸업', '가상대학교 대학원 수료', '보기고등학교 졸업']),
  };
}

/** Splits votes at random; the parts add up. */
function shares(random: SeededRandom, votes: number, count: number): number[] {
  const weights = Array.from({ length: count }, () => 0.2 + random.fraction());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Math.floor((votes * weight) / total));
  const rest = votes - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, index) => (index === 0 ? part + rest : part));
}
