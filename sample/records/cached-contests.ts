import { matches } from '../listing.ts';
import { contestsOf, type Contest } from './contests.ts';

/** Function that returns the contests of a type in an election. */
export type Contests = (sgId: string, type: string) => readonly Contest[];

export function cachedContests(seed: number): Contests {
  const cache = new Map<string, readonly Contest[]>();
  return (sgId, type) => {
    const key = `${sgId} ${type}`;
    const contests = cache.get(key) ?? contestsOf(seed, sgId, type);
    cache.set(key, contests);
    return contests;
  };
}

/** Contests of the election and type in a query, and of its region or constituency if it has one. */
export function contestsFor(contests: Contests, query: ReadonlyMap<string, string>): Contest[] {
  return contests(query.get('sgId') ?? '', query.get('sgTypecode') ?? '').filter(
    (one) =>
      matches(one.sido, query.get('sdName')) &&
      matches(one.district, query.get('wiwName')) &&
      matches(one.constituency, query.get('sggName')),
  );
}
