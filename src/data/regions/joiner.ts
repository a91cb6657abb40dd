import type { RegionBasis, Value } from '../axis.ts';
import { codesDownTo, currentSuccessors } from './coverage.ts';
import {
  findDong,
  findFormerRegions,
  hasFormerRegions,
  hasOwnRecords,
  hasPartialFormerRegions,
} from './former-regions.ts';
import type { FormerRegions } from './former-regions.ts';
import {
  BoundedCache,
  EvidenceCaches,
  RegionEvidence,
  type RegionRoles,
} from './region-evidence.ts';
import { currentChildren } from './region-table.ts';
import type { Region } from './region-table.ts';
import {
  everBelongedToSido,
  isInSido,
  currentSigunguCode,
  sigunguByDong,
} from './current-sigungu.ts';

export interface JoinedRegion {
  /** Code of a current region, or of a merged sido (29, 46) if the record names only that. */
  readonly code: string;
  /** The codes from the sido down to `code`, then the codes of former regions to which the record certainly belonged. */
  readonly codes: readonly string[];
  /** Source of `code`. */
  readonly basis: RegionBasis;
  /** Codes of former regions to which the record may belong. */
  readonly undecided: readonly string[];
}

/**
 * Returns a function that assigns a record to its region. Fields come before codes (other systems use the same numbers),
 * codes before addresses, and coordinates last: near borders they are wrong for one to five records in a hundred. A
 * later source only refines the result of an earlier one. Ambiguous names belong to `assumedSido` unless another source
 * decides.
 */
export function createRegionJoiner(
  roles: RegionRoles,
  assumedSido: Region | null = null,
): (values: readonly Value[]) => JoinedRegion | null {
  const caches = new EvidenceCaches();
  const regionCache = new BoundedCache<JoinedRegion>();

  return function join(values) {
    const evidence = new RegionEvidence(values, roles, caches);
    const location = locateRecord(evidence, assumedSido);
    if (location === null) return null;
    const { code, basis } = location;
    if (location.former === undefined && !hasFormerRegions(code)) {
      return regionCache.get(`${code} ${basis}`, () => regionAt(location, noFormerRegions));
    }
    const former = location.former ?? evidence.formerRegionOf(code);
    const dong = hasPartialFormerRegions(code)
      ? (findDong(code, evidence.dongTexts()) ?? evidence.nearestDong(code))
      : undefined;
    return regionCache.get(`${code} ${basis} ${former?.code} ${dong}`, () =>
      regionAt(location, findFormerRegions(code, former, dong)),
    );
  };
}

const noFormerRegions: FormerRegions = { certain: [], undecided: [] };

function regionAt({ code, basis }: Location, { certain, undecided }: FormerRegions): JoinedRegion {
  return { code, codes: [...codesDownTo(code), ...certain], basis, undecided };
}

interface Location {
  readonly code: string;
  readonly basis: RegionBasis;
  /** The former region by whose name or code the record was located. */
  readonly former?: Region;
}

function locateRecord(evidence: RegionEvidence, assumedSido: Region | null): Location | null {
  let sido: Region | null = null;
  let sidoBasis: RegionBasis = 'field';
  for (const basis of ['field', 'code', 'address'] as const) {
    const region = evidence.regionBy(basis);
    if (region === null) continue;
    if (sido !== null && !everBelongedToSido(region, sido)) {
      // A code may be of another system. An address in another sido leaves only the first sido certain.
      if (basis === 'address') return locateAtSido(sido, sidoBasis);
      continue;
    }
    if (region.level === 'sigungu') return refineSigungu(region, basis, evidence);
    if (sido === null) [sido, sidoBasis] = [region, basis];
    if (basis === 'field' && evidence.hasContradiction()) return locateAtSido(sido, basis);
  }
  return sido === null
    ? locateWithoutSido(evidence, assumedSido)
    : refineSido(sido, sidoBasis, evidence);
}

function refineSido(sido: Region, basis: RegionBasis, evidence: RegionEvidence): Location {
  const byDong = sigunguByDong(sido, evidence.dongTexts());
  if (byDong !== undefined) return { code: byDong, basis: 'address' };
  const nearest = evidence.nearestSigungu();
  if (nearest !== null && isInSido(nearest, sido)) return { code: nearest, basis: 'coordinates' };
  return locateAtSido(sido, basis);
}

function locateAtSido(sido: Region, basis: RegionBasis): Location {
  return { code: currentSuccessors(sido)[0]?.code ?? sido.code, basis };
}

/** Locates a record by its dong, else by the assumed sido, else by its position among the regions of its name. */
function locateWithoutSido(evidence: RegionEvidence, assumedSido: Region | null): Location | null {
  const byDong = evidence.ambiguousSigungu();
  if (byDong !== undefined) return { code: byDong, basis: 'address' };
  const assumed = assumedSido === null ? null : evidence.sigunguWithin(assumedSido);
  if (assumed !== null) return refineSigungu(assumed.region, assumed.basis, evidence);
  const nearest = evidence.nearestSigungu(evidence.regionsOfName());
  return nearest === null ? null : { code: nearest, basis: 'coordinates' };
}

/**
 * Finds the part of a divided sigungu or of a city with 일반구: by the dong, else by codes and addresses, else by
 * the position if it is in a part.
 */
function refineSigungu(sigungu: Region, basis: RegionBasis, evidence: RegionEvidence): Location {
  const successors = currentSuccessors(sigungu);
  const parts = successors.length > 1 ? successors : currentChildren(successors[0]?.code ?? '');
  const code = currentSigunguCode(sigungu, parts.length === 0 ? '' : evidence.dongTexts());
  const former = sigungu.until !== null && hasOwnRecords(sigungu) ? sigungu : undefined;
  const location = { code, basis, ...(former === undefined ? {} : { former }) };
  const isPartCode = (candidate: string | undefined): boolean =>
    parts.some((part) => part.code === candidate);
  if (parts.length === 0 || isPartCode(code)) return location;
  for (const finerBasis of ['code', 'address'] as const) {
    const finer = evidence.regionBy(finerBasis);
    // An older code or address has the former code of the part: 45111 for 52111.
    const [end, second] = finer === null ? [] : currentSuccessors(finer);
    if (end !== undefined && second === undefined && isPartCode(end.code))
      return { ...location, code: end.code, basis: finerBasis };
  }
  const nearest = evidence.nearestSigungu();
  return nearest !== null && isPartCode(nearest)
    ? { ...location, code: nearest, basis: 'coordinates' }
    : location;
}
