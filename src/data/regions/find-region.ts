import { parseAddress } from './address.ts';
import { livingCodes, livingEnds, sidoCodeOf } from './coverage.ts';
import { hasOwnRecords } from './former-regions.ts';
import { nameKey } from './name-key.ts';
import { codeNamed } from './region-codes.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import type { MatchedBy, NamedRegion } from './sido-names.ts';
import { sigunguOfKey } from './sigungu-names.ts';

export interface RegionMatch {
  /** The living sido. */
  readonly sido: Region;
  /** Living; the former one where it was divided and no single sigungu took its place. */
  readonly sigungu: Region | null;
  /** The former region that was named; null if the name or code is in use. */
  readonly former: Region | null;
  readonly matchedBy: MatchedBy;
  /** Every living code inside, for filters. */
  readonly livingCodes: readonly string[];
  /** The code under which every record of the region was counted, a former one's own part only. */
  readonly countedCode: string;
}

/** The region two texts mean: names of any time and form, or codes of 2, 5, 8 or 10 digits. */
export function findRegion(sido: string, sigungu?: string): RegionMatch | null {
  if (sido.length > nameLengthMax || (sigungu?.length ?? 0) > nameLengthMax) return null;
  const named = sidoOrMore(sido);
  if (named === null) return null;
  if (sigungu === undefined || nameKey(sigungu) === '') return found(named);
  const within = sigunguWithin(named, nameKey(sigungu));
  return within === null ? null : found(within, named.matchedBy);
}

/** Longer texts name no region. */
const nameLengthMax = 200;

/** The sido a text means, or the sigungu where the text goes on (`서울 종로구`, `11110`). */
function sidoOrMore(text: string): NamedRegion | null {
  const key = nameKey(text);
  const named = sidoOfKey(key) ?? codeNamed(key);
  if (named !== undefined) return named;
  const address = parseAddress(text);
  if (address === null || address.rest !== '') return null;
  if (address.sigungu === null) return { region: address.sido, matchedBy: 'alias' };
  const own = sigunguOfKey(address.sido.code, nameKey(address.sigungu.name));
  return { region: address.sigungu, matchedBy: own?.matchedBy ?? 'name' };
}

function sigunguWithin({ region: sido }: NamedRegion, key: string): NamedRegion | null {
  const sidoCode = sido.code.slice(0, 2);
  const again = sidoOfKey(key);
  const direct = sigunguOfKey(sidoCode, key);
  if (direct !== undefined) return direct;
  if (again !== undefined && sidoCodeOf(again.region.code) === sidoCodeOf(sidoCode)) return again;
  const code = codeNamed(key) ?? codeNamed(sidoCode + key);
  if (code !== undefined)
    return sidoCodeOf(code.region.code) === sidoCodeOf(sidoCode) ? code : null;
  return withoutSidoName(sidoCode, key);
}

/** `부산사하구` under 부산: the health insurer writes the sido into the sigungu. */
function withoutSidoName(sidoCode: string, key: string): NamedRegion | null {
  for (let length = 2; length <= key.length - 2; length++) {
    const again = sidoOfKey(key.slice(0, length));
    if (again === undefined || sidoCodeOf(again.region.code) !== sidoCodeOf(sidoCode)) continue;
    const named = sigunguOfKey(sidoCode, key.slice(length));
    if (named !== undefined) return named;
  }
  return null;
}

function found({ region, matchedBy }: NamedRegion, sidoMatchedBy?: MatchedBy): RegionMatch {
  const ends = livingEnds(region);
  const [only] = ends;
  const single = ends.length === 1 && only !== undefined ? only : region;
  const sido = regionByCode(sidoCodeOf(single.code)) ?? single;
  return {
    sido,
    sigungu: single.level === 'sido' ? null : single,
    former: region.until === null ? null : region,
    matchedBy: weaker(matchedBy, sidoMatchedBy),
    livingCodes: livingCodes(region),
    countedCode: hasOwnRecords(region) ? region.code : single.code,
  };
}

/** A former sido or sigungu makes the whole match a former name, and so on down to the plain name. */
function weaker(one: MatchedBy, other: MatchedBy = one): MatchedBy {
  const [low, high] = [strength.indexOf(one), strength.indexOf(other)];
  return strength[Math.max(low, high)] ?? one;
}

const strength: readonly MatchedBy[] = ['name', 'code', 'short', 'alias', 'former_name'];
