import type { RegionBasis, Value } from '../axis.ts';
import { codesAbove, livingEnds } from './coverage.ts';
import {
  dongWithin,
  findFormerRegions,
  hasFormerRegions,
  hasOwnRecords,
  hasPartialFormerRegions,
} from './former-regions.ts';
import type { FormerRegions } from './former-regions.ts';
import { BoundedCache, PlaceCaches, PlaceOfRecord, type RegionRoles } from './place-of-record.ts';
import { livingChildren } from './region-table.ts';
import type { Region } from './region-table.ts';
import { agrees, isWithin, livingSigunguCode, sigunguByDong } from './settle.ts';

export interface JoinedRegion {
  /** A living region's, or 29 and 46 for records that name only the former sido. */
  readonly code: string;
  /**
   * The code and those above it, from the sido down, then every former region of the record that is known.
   */
  readonly codes: readonly string[];
  /** Source of the code; the finest one if the sido and the sigungu have different sources. */
  readonly basis: RegionBasis;
  /** Former regions that the record may belong to, although nothing in it decides. */
  readonly undecided: readonly string[];
}

/**
 * Makes a function that gives the living region of a record. Fields are trusted before codes (other systems use
 * the same numbers), codes before addresses, and coordinates last: near borders they err for one to five records
 * in a hundred. A later source only refines an earlier one. Ambiguous names get the sido `assumed` unless another
 * source decides.
 */
export function createRegionJoiner(
  roles: RegionRoles,
  assumed: Region | null = null,
): (values: readonly Value[]) => JoinedRegion | null {
  const caches = new PlaceCaches();
  const joined = new BoundedCache<JoinedRegion>();

  return function join(values) {
    const record = new PlaceOfRecord(values, roles, caches);
    const found = locate(record, assumed);
    if (found === null) return null;
    const { code, basis } = found;
    if (found.former === undefined && !hasFormerRegions(code)) {
      return joined.get(`${code} ${basis}`, () => joinedRegion(found, nowhere));
    }
    const former = found.former ?? record.formerOf(code);
    const dong = hasPartialFormerRegions(code)
      ? (dongWithin(code, record.dongs()) ?? record.dongNearby(code))
      : undefined;
    return joined.get(`${code} ${basis} ${former?.code} ${dong}`, () =>
      joinedRegion(found, findFormerRegions(code, former, dong)),
    );
  };
}

const nowhere: FormerRegions = { inside: [], open: [] };

function joinedRegion({ code, basis }: Located, { inside, open }: FormerRegions): JoinedRegion {
  return { code, codes: [...codesAbove(code), ...inside], basis, undecided: open };
}

interface Located {
  readonly code: string;
  readonly basis: RegionBasis;
  /** The former region by whose name or code the record was located. */
  readonly former?: Region;
}

function locate(record: PlaceOfRecord, assumed: Region | null): Located | null {
  let sido: Region | null = null;
  let sidoBasis: RegionBasis = 'field';
  for (const basis of ['field', 'code', 'address'] as const) {
    const region = record.region(basis);
    if (region === null) continue;
    if (sido !== null && !agrees(region, sido)) {
      // A code may be of another system. An address elsewhere leaves nothing certain but the sido.
      if (basis === 'address') return atSido(sido, sidoBasis);
      continue;
    }
    if (region.level === 'sigungu') return settle(region, basis, record);
    if (sido === null) [sido, sidoBasis] = [region, basis];
    if (basis === 'field' && record.contradictsItself()) return atSido(sido, basis);
  }
  return sido === null ? withoutSido(record, assumed) : refine(sido, sidoBasis, record);
}

function refine(sido: Region, basis: RegionBasis, record: PlaceOfRecord): Located {
  const byDong = sigunguByDong(sido, record.dongs());
  if (byDong !== undefined) return { code: byDong, basis: 'address' };
  const nearest = record.nearest();
  if (nearest !== null && isWithin(nearest, sido)) return { code: nearest, basis: 'coordinates' };
  return atSido(sido, basis);
}

function atSido(sido: Region, basis: RegionBasis): Located {
  return { code: livingEnds(sido)[0]?.code ?? sido.code, basis };
}

function withoutSido(record: PlaceOfRecord, assumed: Region | null): Located | null {
  const byDong = record.ambiguousSigungu();
  if (byDong !== undefined) return { code: byDong, basis: 'address' };
  const nearest = record.nearest();
  if (assumed !== null && (nearest === null || isWithin(nearest, assumed))) {
    const named = record.sigunguWithin(assumed);
    if (named !== null) return settle(named.region, named.basis, record);
  }
  return nearest === null ? null : { code: nearest, basis: 'coordinates' };
}

/**
 * In a divided sigungu, or a city with 일반구, the part is decided by the dong, then by codes and addresses. The
 * position decides only if the sigungu itself is gone.
 */
function settle(sigungu: Region, basis: RegionBasis, record: PlaceOfRecord): Located {
  const ends = livingEnds(sigungu);
  const [only] = ends;
  const parts = ends.length === 1 && only !== undefined ? livingChildren(only.code) : ends;
  const code = livingSigunguCode(sigungu, parts.length === 0 ? '' : record.dongs());
  const former = sigungu.until !== null && hasOwnRecords(sigungu) ? sigungu : undefined;
  const found = { code, basis, ...(former === undefined ? {} : { former }) };
  const isPart = (one: string | undefined): boolean => parts.some((part) => part.code === one);
  if (parts.length === 0 || isPart(code)) return found;
  for (const finer of ['code', 'address'] as const) {
    const named = record.region(finer)?.code;
    if (named !== undefined && isPart(named)) return { ...found, code: named, basis: finer };
  }
  const nearest = ends.length === 1 ? null : record.nearest();
  return nearest !== null && isPart(nearest)
    ? { ...found, code: nearest, basis: 'coordinates' }
    : found;
}
