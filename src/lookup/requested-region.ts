import type { Warning } from '../contract/route.ts';
import type { StoredAxis } from '../data/axis.ts';
import { findRegion } from '../data/regions/find-region.ts';
import { Problem } from '../kernel/problem.ts';
import { noticesOf, unknownRegion } from './endpoints/region.ts';

/** The region in which records are selected. */
interface RequestedRegion {
  /** Code under which its records are counted; null if there is no such region. */
  readonly code: string | null;
  readonly warnings: readonly Warning[];
}

/** Reads `sido` and `sigungu`; null without them. Throws 400 for a `sigungu` without `sido`. */
export function readRegion(
  { sido, sigungu }: { readonly sido?: string | undefined; readonly sigungu?: string | undefined },
  axes: () => readonly StoredAxis[],
): RequestedRegion | null {
  if (sido === undefined) {
    if (sigungu !== undefined) throw missingSido();
    return null;
  }
  const match = findRegion(sido, sigungu);
  return match === null
    ? { code: null, warnings: [unknownRegion({ sido, sigungu })] }
    : { code: match.countedCode, warnings: noticesOf(match, axes()) };
}

function missingSido(): Problem {
  const detail = {
    ko: 'sigungu는 sido와 함께 써야 합니다. 같은 이름의 시군구가 여러 곳에 있습니다.',
    en: 'sigungu needs sido, because several regions share a name. Add sido.',
  };
  const reason = { ko: '값이 필요합니다.', en: 'A value is required.' };
  return new Problem('missing_parameter', detail, { errors: [{ parameter: 'sido', reason }] });
}
