/** The inputs of every record of a sample portal. */
export interface World {
  readonly seed: number;
  /** Milliseconds since 1970: rolling operations answer around this moment. */
  readonly now: () => number;
  /** Number of records of an axis: `defaultCount`, scaled. */
  readonly count: (code: string, defaultCount: number) => number;
}

/** One factor for every invented axis, or a number of records by code. */
export type Scale = number | Readonly<Record<string, number>>;

/** Axes whose number of records follows `scale`; the others are code tables or facts, or depend on these axes. */
const scalableCodes = [
  'gen_storelist',
  'gen_areabasedlist2',
  'gen_period2',
  'gen_egytlistinfoinqire',
  'gen_storezoneinadmi',
  'tago_busstops',
  'tago_busroute',
  'std_library',
  'std_parking',
  'std_museum',
  'std_festival',
  'std_toilet',
  'std_park',
] as const;

/** A bound above the largest axis of the portal. */
const recordsMax = 10_000_000;

export function makeWorld(seed: number, scale: Scale, now: () => number): World {
  const factor = typeof scale === 'number' ? scale : 1;
  const counts = typeof scale === 'number' ? {} : scale;
  refuseUnknownCodes(counts);
  return {
    seed,
    now,
    count(code, defaultCount) {
      const size = counts[code] ?? Math.round(defaultCount * factor);
      return Math.min(recordsMax, Math.max(1, size));
    },
  };
}

/** Refuses unknown codes: a typo would make a benchmark of the wrong size. */
function refuseUnknownCodes(counts: Readonly<Record<string, number>>): void {
  const scalable: readonly string[] = scalableCodes;
  const unknown = Object.keys(counts).filter((code) => !scalable.includes(code));
  if (unknown.length > 0)
    throw new RangeError(
      `Cannot scale ${unknown.join(', ')}: the sizes that can be set are ${scalable.join(', ')}.`,
    );
}

const kstMs = 9 * 3_600_000;
const dayMs = 86_400_000;

/** Date of a moment in Seoul, such as `20261121`, plus or minus `days`. */
export function dayKst(moment: number, days = 0): string {
  return new Date(moment + kstMs + days * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Time of a moment in Seoul, such as `0915`. */
export function timeKst(moment: number): string {
  return new Date(moment + kstMs).toISOString().slice(11, 16).replace(':', '');
}
