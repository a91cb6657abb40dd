/** What every record of one sample portal is made from. */
export interface World {
  readonly seed: number;
  /** Milliseconds since 1970: rolling operations answer around this moment. */
  readonly now: () => number;
  /** How many records an axis has, from the number it has without any scale. */
  readonly count: (code: string, usual: number) => number;
}

/** One factor for every invented axis, or a number of records by code. */
export type Scale = number | Readonly<Record<string, number>>;

/** Axes whose number of records follows `scale`; the rest are code tables, facts or follow from these. */
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

/** Ten million records of one axis: more than the portal's largest has. */
const recordsMax = 10_000_000;

export function makeWorld(seed: number, scale: Scale, now: () => number): World {
  const factor = typeof scale === 'number' ? scale : 1;
  const counts = typeof scale === 'number' ? {} : scale;
  refuseUnknownCodes(counts);
  return {
    seed,
    now,
    count(code, usual) {
      const wanted = counts[code] ?? Math.round(usual * factor);
      return Math.min(recordsMax, Math.max(1, wanted));
    },
  };
}

/** A typo in a code would otherwise be a benchmark of the wrong size. */
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

/** `20261121` in Seoul, `days` before or after the moment. */
export function dayKst(moment: number, days = 0): string {
  return new Date(moment + kstMs + days * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
}

/** `0915` in Seoul. */
export function timeKst(moment: number): string {
  return new Date(moment + kstMs).toISOString().slice(11, 16).replace(':', '');
}
