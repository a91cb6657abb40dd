import type { Language } from '../../contract/language.ts';
import { pageContract } from '../../contract/pages.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import type { Region } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { PageRequest } from '../serve-page.ts';
import { requireRegion } from './missing.ts';
import { namedRegion, regionInQuery, type NamedRegion } from './query-region.ts';

/** A request for two regions side by side. */
export interface Comparison extends PageRequest {
  /** The region of the page, then the one beside it. */
  readonly compared: readonly [ComparedRegion, ComparedRegion];
  readonly lang: Language | undefined;
}

interface ComparedRegion extends NamedRegion {
  readonly match: RegionMatch;
  readonly region: Region;
}

/** The region that is compared with another one: a name beside that one, or anywhere. Throws 404. */
export function regionToCompare(text: string, { code, match: { sido } }: ComparedRegion) {
  const named = regionInQuery(text);
  const unique = named?.rest === '' ? findRegion(named.code) : null;
  const targetOf = (other: string): string =>
    canonicalUrl(pageContract.region, { code, with: other });
  return comparedRegion(findRegion(sido.name, text) ?? unique ?? requireRegion(text, targetOf));
}

export function comparedRegion(match: RegionMatch): ComparedRegion {
  const region = match.former ?? match.sigungu ?? match.sido;
  return { match, region, ...namedRegion(match) };
}

/** Names of two regions, with their 시도 where these differ: 부산 해운대구 and 서울 강남구. */
export function shortNames([one, other]: readonly [ComparedRegion, ComparedRegion]) {
  const isOneSido = one.match.sido === other.match.sido;
  const nameOf = ({ region, match: { sido }, name }: ComparedRegion): string => {
    if (isOneSido) return one.region.name === other.region.name ? name : region.name;
    return region.level === 'sido' ? region.name : `${sido.short} ${region.name}`;
  };
  return [nameOf(one), nameOf(other)] as const;
}
