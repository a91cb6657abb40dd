import type { StoredAxis } from '../../data/axis.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import { nameKey } from '../../data/regions/name-key.ts';
import { allSigunguOfName } from '../../data/regions/sigungu-names.ts';
import { namedRegion, type NamedRegion } from './query-region.ts';

/** The regions of a dataset that a 시군구 without its 시도 may mean: one for 강남구, several for 중구. */
export function sigunguAlone(name: string, { regions }: StoredAxis): readonly NamedRegion[] {
  const matches = ['', '구', '시', '군'].flatMap((kind) => allSigunguOfName(nameKey(name + kind)));
  const codes = matches.flatMap(({ region }) => (region.until === null ? [region.code] : []));
  const counted = new Set(regions.map(({ code }) => code));
  return [...new Set(codes)].flatMap((code) =>
    counted.has(code) ? [namedRegion(findRegion(code)!)] : [],
  );
}
