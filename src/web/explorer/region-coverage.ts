import type { StoredAxis } from '../../data/axis.ts';
import { isSameSido } from '../../data/regions/coverage.ts';
import { regionByCode } from '../../data/regions/region-table.ts';
import { regionInQuery, type NamedRegion } from './query-region.ts';

/** True if a dataset is of one office or one place that has nothing to do with a region. */
export function isElsewhere(stored: StoredAxis, { code }: Pick<NamedRegion, 'code'>): boolean {
  const home = homeOf(stored);
  if (home === null) return false;
  if (!isSameSido(home, code)) return true;
  const [own, other] = [home, code].map((one) => regionByCode(one));
  if (own?.level !== 'sigungu' || other?.level !== 'sigungu') return false;
  return home !== code && own.parent !== code && other.parent !== home;
}

/** Code of the region whose authority provides a dataset, or in which its records lie; null for a national one. */
function homeOf({ axis, regions }: StoredAxis): string | null {
  const provider = axis.provider === null ? null : regionInQuery(axis.provider.name);
  if (provider?.rest === '') return provider.code;
  const rows = regions.reduce((sum, one) => sum + (isSido(one.code) ? one.rows : 0), 0);
  const home = regions
    .filter((one) => one.rows >= rows * ownShareMin)
    .toSorted((a, b) => b.code.length - a.code.length)[0];
  return home?.code ?? null;
}

function isSido(code: string): boolean {
  return regionByCode(code)?.level === 'sido';
}

/** A few mistakes of places aside. */
const ownShareMin = 0.99;
