import type { Value } from '../data/axis.ts';
import { fullName, regionByCode } from '../data/regions/region-table.ts';

/** The member `regions` of an answer, with the full name of each code in it; absent if there are none. */
export function regionNames(codes: readonly Value[]): {
  readonly regions?: Readonly<Record<string, string>>;
} {
  const names = codes.flatMap((code) => {
    const region = typeof code === 'string' ? regionByCode(code) : undefined;
    return region === undefined ? [] : [[region.code, fullName(region)] as const];
  });
  return names.length === 0 ? {} : { regions: Object.fromEntries(names) };
}
