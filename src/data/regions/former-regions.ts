import { isMergedSido, currentSuccessors } from './coverage.ts';
import { dongKey, dongInTable } from './dongs.ts';
import formerLines from './former-regions.json' with { type: 'json' };
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { wordsOf } from './words.ts';

/** Part of a current region that belonged to a former one. */
interface FormerPart {
  readonly former: string;
  readonly current: string;
  /** Dongs that belonged to the former region, as `dongKey`; null if all did. */
  readonly dongs: ReadonlySet<string> | null;
  /** Dongs that may have belonged to the former region, which the code tables leave open. */
  readonly undecidedDongs: ReadonlySet<string>;
}

/** Codes of the former regions of a record. */
export interface FormerRegions {
  readonly certain: readonly string[];
  /** Former regions to which the record may belong; its values leave that open. */
  readonly undecided: readonly string[];
}

/**
 * True if records are counted under the code of a former region: one that was divided or merged. A former region
 * that only changed its name, number or rank has the records of the current one.
 */
export function hasOwnRecords(region: Region): boolean {
  return isMergedSido(region) || partsOfFormer.has(region.code);
}

/** Names of the current regions that count records which may belong to a former region. */
export function countingRegionNames(former: Region): string[] {
  if (isMergedSido(former)) return former.successors.map(({ code }) => nameOf(code));
  const ownParts = partsOfFormer.get(former.code) ?? [];
  const partial = ownParts.flatMap(({ dongs, current }) => (dongs === null ? [] : [current]));
  const cities = ownParts.flatMap(({ current }) => {
    const parent = regionByCode(current)?.parent ?? '';
    return parent.length === 5 ? [parent] : [];
  });
  return [...new Set([...cities, ...partial])].map(nameOf);
}

/** Divided former regions that contained a current one. A record that names such a region may be in any of its parts. */
export function dividedPredecessors(current: string): Region[] {
  return (partsOfCurrent.get(current) ?? []).flatMap(({ former }) => {
    const region = regionByCode(former);
    return region !== undefined && currentSuccessors(region).length > 1 ? [region] : [];
  });
}

function nameOf(code: string): string {
  return regionByCode(code)?.name ?? code;
}

/** True if records of the current region may belong to former regions with records of their own. */
export function hasFormerRegions(current: string): boolean {
  return partsOfCurrent.has(current) || formerCodesByCity.has(current);
}

/** True if a dong, a name or a position is needed to decide the former regions of a record. */
export function hasPartialFormerRegions(current: string): boolean {
  return partialRegions.has(current);
}

/** The first dong of a current region that a text names, as the table spells it. */
export function findDong(current: string, text: string): string | undefined {
  // Nearly always it is the first word, so the text need not be split.
  const blank = text.indexOf(' ');
  const first = dongInTable(current, dongKey(blank < 0 ? text : text.slice(0, blank)));
  if (first !== undefined) return first;
  for (const word of wordsOf(text)) {
    const dong = dongInTable(current, word);
    if (dong !== undefined) return dong;
  }
  return undefined;
}

/** The former regions of a record, from its current region, its dong, and the former region that it names, if any. */
export function findFormerRegions(
  current: string,
  named: Region | null,
  dong: string | undefined,
): FormerRegions {
  const namedCodes = named === null ? [] : [named.code, ...formerRegionsContaining(named.code)];
  const certain = new Set(namedCodes);
  const undecided = new Set<string>();
  const isDecided = (former: string): boolean =>
    certain.has(former) || (named !== null && areDisjoint(named.code, former));
  for (const { former, dongs, undecidedDongs } of partsOfCurrent.get(current) ?? []) {
    if (isDecided(former)) continue;
    if (dongs === null || (dong !== undefined && dongs.has(dong))) certain.add(former);
    else if (dong === undefined || undecidedDongs.has(dong)) undecided.add(former);
  }
  for (const former of formerCodesByCity.get(current) ?? []) {
    if (!isDecided(former)) undecided.add(former);
  }
  return { certain: [...certain].sort(), undecided: [...undecided].sort() };
}

/** True if two regions existed together and were disjoint: 인천 중구 and 동구, but not 마산시 and its 합포구. */
export function areDisjoint(one: string, other: string): boolean {
  const [a, b] = [regionByCode(one), regionByCode(other)];
  if (a === undefined || b === undefined || a === b) return false;
  const coexisted = a.since < (b.until ?? '9') && b.since < (a.until ?? '9');
  return coexisted && !isOrBecomes(a, b) && !isOrBecomes(b, a);
}

function isOrBecomes(from: Region, to: Region): boolean {
  if (from.code === to.code || from.parent === to.code) return true;
  return from.successors.some(({ code }) => {
    const next = regionByCode(code);
    return next !== undefined && isOrBecomes(next, to);
  });
}

/** Former regions that contained another one completely: 마산시 contained 마산시 합포구. */
function formerRegionsContaining(former: string): readonly string[] {
  const [first, ...others] = partsOfFormer.get(former) ?? [];
  return (partsOfCurrent.get(first?.current ?? '') ?? [])
    .filter((part) => part.dongs === null && part.former !== former)
    .filter((part) => others.every(({ current }) => containsWhole(part.former, current)))
    .map((part) => part.former);
}

function containsWhole(former: string, current: string): boolean {
  return (
    partsOfFormer.get(former)?.some((part) => part.current === current && part.dongs === null) ??
    false
  );
}

// The file is generated by tools/regions.ts in exactly this shape; a test checks every line.
const parts: readonly FormerPart[] = (formerLines as [string, string, string][]).map(
  ([former, current, text]) => {
    const names = text.split(' ');
    return {
      former,
      current,
      dongs: text === '*' ? null : new Set(names.filter((name) => !name.startsWith('?'))),
      undecidedDongs: new Set(
        names.flatMap((name) => (name.startsWith('?') ? [name.slice(1)] : [])),
      ),
    };
  },
);
const partsOfFormer: ReadonlyMap<string, readonly FormerPart[]> = Map.groupBy(
  parts,
  ({ former }) => former,
);
const partsOfCurrent: ReadonlyMap<string, readonly FormerPart[]> = Map.groupBy(
  parts,
  ({ current }) => current,
);
const partialRegions: ReadonlySet<string> = new Set(
  parts.flatMap(({ current, dongs }) => (dongs === null ? [] : [current])),
);
const formerCodesByCity = buildFormerCodesByCity();

/** A record that names only 청주시 may belong to former 청원군, one that names only 12 to either former sido. */
function buildFormerCodesByCity(): Map<string, readonly string[]> {
  const codesByCity = new Map<string, readonly string[]>([['12', ['29', '46']]]);
  for (const { former, current } of parts) {
    const city = regionByCode(current)?.parent ?? '';
    const codes = codesByCity.get(city) ?? [];
    if (city.length === 5 && !codes.includes(former)) codesByCity.set(city, [...codes, former]);
  }
  return codesByCity;
}
