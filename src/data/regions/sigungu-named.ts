import { findRegion, type RegionMatch } from './find-region.ts';
import { currentSidos } from './region-table.ts';

/**
 * The sigungu that a text names: one by its code or with its sido, such as `서울 종로구`, else every one of that full or
 * short name (`중구`, `분당`). A current name counts before a former one of another place.
 */
export function sigunguNamed(text: string): readonly RegionMatch[] {
  const match = findRegion(text);
  if (match !== null && match.sigungu !== null) return [match];
  const found = currentSidos.flatMap((sido) => {
    const one = findRegion(sido.name, text);
    return one === null || one.sigungu === null ? [] : [one];
  });
  const current = found.filter(({ former }) => former === null);
  return current.length > 0 ? current : found;
}
