import { matches } from '../listing.ts';
import { contestsOf, type Contest } from './contests.ts';

/** Contests by election and type, made once. */
export type Contests = (sgId: string, type: string) => readonly Contest[];

export function heldContests(seed: number): Contests {
  const made = new Map<string, readonly Contest[]>();
  return (sgId, type) => {
    const key = `${sgId} ${type}`;
    const known = made.get(key) ?? contestsOf(seed, sgId, type);
    made.set(key, known);
    return known;
  };
}

/** Contests of a query that names an election and a type, and perhaps a region or a constituency. */
export function located(contests: Contests, query: ReadonlyMap<string, string>): Contest[] {
  return contests(query.get('sgId') ?? '', query.get('sgTypecode') ?? '').filter(
    (one) =>
      matches(one.sido, query.get('sdName')) &&
      matches(one.district, query.get('wiwName')) &&
      matches(one.constituency, query.get('sggName')),
  );
}
