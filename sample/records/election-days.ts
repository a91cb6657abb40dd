import elections from './elections.json' with { type: 'json' };

interface ElectionDay {
  /** Date such as `20260603`, the commission's id of all elections on that day. */
  readonly id: string;
  readonly name: string;
  /** 1 대통령, 2 국회의원, 3 시·도지사, 4 구·시·군의 장, 5 시·도의회, 6 구·시·군의회, 7–9 비례대표, 10 교육의원, 11 교육감. */
  readonly types: readonly string[];
}

/** Election days since 1987 with their types; by-elections only with types that are certain. */
export const electionDays: readonly ElectionDay[] = elections.days.map(
  ([id = '', name = '', types = '']) => ({ id, name, types: types.split(' ') }),
);

/** The commission's names of the types. */
export const electionTypes: Readonly<Record<string, string>> = elections.types;
