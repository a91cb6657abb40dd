import { parseAddress } from './address.ts';
import { currentSidoCode, currentSuccessors, isSameSido } from './coverage.ts';
import { hasOwnRecords } from './former-regions.ts';
import { nameKey } from './name-key.ts';
import { matchCode } from './region-codes.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import type { MatchedBy, NameMatch } from './sido-names.ts';
import { sigunguOfKey } from './sigungu-names.ts';

export interface RegionMatch {
  /** The current sido. */
  readonly sido: Region;
  /** The current sigungu; the former one if it has several successors. */
  readonly sigungu: Region | null;
  /** The former region that the texts name; null if they name a current one. */
  readonly former: Region | null;
  readonly matchedBy: MatchedBy;
  /** The code under which the records of the region are counted. */
  readonly countedCode: string;
}

/** Finds a region by two texts: full, short or former names, or codes of 2, 5, 8 or 10 digits. */
export function findRegion(sido: string, sigungu?: string): RegionMatch | null {
  if (sido.length > nameLengthMax || (sigungu?.length ?? 0) > nameLengthMax) return null;
  const match = matchTexts(sido, sigungu);
  if (match !== null) return match;
  const [sidoName, sigunguName] = [withoutRemark(sido), sigungu && withoutRemark(sigungu)];
  const hasRemark = sidoName !== sido || sigunguName !== sigungu;
  return hasRemark ? matchTexts(sidoName, sigunguName) : null;
}

/** Removes a remark in brackets after a name: the police write `창원시(통합)`. */
function withoutRemark(name: string): string {
  return name.replace(/(?<=[가-힣]) *\([^()]*\) *$/, '');
}

function matchTexts(sido: string, sigungu: string | undefined): RegionMatch | null {
  const match = matchFirstText(sido);
  if (match === null) return null;
  if (sigungu === undefined || nameKey(sigungu) === '') return matchOf(match);
  const sigunguMatch = matchSigungu(match, nameKey(sigungu));
  return sigunguMatch === null ? null : matchOf(sigunguMatch, match.matchedBy);
}

/** Limit on a text; longer ones name no region. */
const nameLengthMax = 200;

/** Matches the first text, a sido or a sigungu with its sido (`서울 종로구`, `11110`). */
function matchFirstText(text: string): NameMatch | null {
  const key = nameKey(text);
  const match = sidoOfKey(key) ?? matchCode(key);
  if (match !== undefined) return match;
  const address = parseAddress(text);
  if (address === null || address.rest !== '') return null;
  if (address.sigungu === null) return { region: address.sido, matchedBy: 'alias' };
  const sigungu = sigunguOfKey(address.sido.code, nameKey(address.sigungu.name));
  return { region: address.sigungu, matchedBy: sigungu?.matchedBy ?? 'name' };
}

function matchSigungu({ region: sido }: NameMatch, key: string): NameMatch | null {
  const sidoCode = sido.code.slice(0, 2);
  const repeated = sidoOfKey(key);
  const match = sigunguOfKey(sidoCode, key);
  if (match !== undefined) return match;
  if (repeated !== undefined && isSameSido(repeated.region.code, sidoCode)) return repeated;
  const byCode = matchCode(key) ?? matchCode(sidoCode + key);
  if (byCode !== undefined) return isSameSido(byCode.region.code, sidoCode) ? byCode : null;
  return matchAfterSidoName(sidoCode, key);
}

/** Matches a sigungu that repeats its sido, as the health insurer writes it: `부산사하구` under 부산. */
function matchAfterSidoName(sidoCode: string, key: string): NameMatch | null {
  for (let length = 2; length <= key.length - 2; length++) {
    const repeated = sidoOfKey(key.slice(0, length));
    if (repeated === undefined || !isSameSido(repeated.region.code, sidoCode)) continue;
    const match = sigunguOfKey(sidoCode, key.slice(length));
    if (match !== undefined) return match;
  }
  return null;
}

function matchOf({ region, matchedBy }: NameMatch, sidoMatchedBy?: MatchedBy): RegionMatch {
  const successors = currentSuccessors(region);
  const [only] = successors;
  const result = successors.length === 1 && only !== undefined ? only : region;
  const sido = regionByCode(currentSidoCode(result.code)) ?? result;
  return {
    sido,
    sigungu: result.level === 'sido' ? null : result,
    former: region.until === null ? null : region,
    matchedBy: weakerMatch(matchedBy, sidoMatchedBy),
    countedCode: hasOwnRecords(region) ? region.code : result.code,
  };
}

/** Match of a sido and a sigungu together, which is the weaker of their two matches. */
function weakerMatch(one: MatchedBy, other: MatchedBy = one): MatchedBy {
  const weaker = Math.max(strongestFirst.indexOf(one), strongestFirst.indexOf(other));
  return strongestFirst[weaker] ?? one;
}

const strongestFirst: readonly MatchedBy[] = ['name', 'code', 'short', 'alias', 'former_name'];
