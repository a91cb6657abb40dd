import { isPart, livingEnds } from './coverage.ts';
import { dongKey, dongNamed } from './dongs.ts';
import formerLines from './former-regions.json' with { type: 'json' };
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { wordsOf } from './words.ts';

/** The part of a living region that belonged to a former one, which was divided, merged or both. */
interface FormerPart {
  readonly former: string;
  readonly living: string;
  /** Dongs that belonged to it, as `dongKey`; null if all did. */
  readonly inside: ReadonlySet<string> | null;
  /** Dongs for which the code tables do not decide. */
  readonly open: ReadonlySet<string>;
}

/** Former regions of a record, and those that nothing in it decides. */
export interface FormerRegions {
  readonly inside: readonly string[];
  readonly open: readonly string[];
}

/**
 * True if a former region has records of its own. One that only changed its name, number or rank is the living
 * region; every other answers with the records that are known to belong to it.
 */
export function hasOwnRecords(region: Region): boolean {
  return isPart(region) || partsOfFormer.has(region.code);
}

/** Names of living regions whose records may belong to a former region without naming it. */
export function countedIn(former: Region): string[] {
  if (isPart(former)) return former.successors.map(({ code }) => nameOf(code));
  const mixed = partsOfFormer.get(former.code) ?? [];
  const living = mixed.flatMap(({ inside, living: code }) => (inside === null ? [] : [code]));
  const cities = mixed.flatMap(({ living: code }) => {
    const parent = regionByCode(code)?.parent ?? '';
    return parent.length === 5 ? [parent] : [];
  });
  return [...new Set([...cities, ...living])].map(nameOf);
}

/**
 * Former regions that belong to a living region only in part: a record that names one may be in either part.
 */
export function dividedRegions(living: string): Region[] {
  return (partsOfLiving.get(living) ?? []).flatMap(({ former }) => {
    const region = regionByCode(former);
    return region !== undefined && livingEnds(region).length > 1 ? [region] : [];
  });
}

function nameOf(code: string): string {
  return regionByCode(code)?.name ?? code;
}

/** True if records of the living region may belong to former regions with records of their own. */
export function hasFormerRegions(living: string): boolean {
  return partsOfLiving.has(living) || formersOfCity.has(living);
}

/** True if a dong, a name or a position is needed to decide the former regions of a record. */
export function hasPartialFormerRegions(living: string): boolean {
  return partial.has(living);
}

/** The first dong of the living region in a text, by its name in the table. */
export function dongWithin(living: string, text: string): string | undefined {
  // Nearly always it stands first, which needs no taking apart.
  const blank = text.indexOf(' ');
  const first = dongNamed(living, dongKey(blank < 0 ? text : text.slice(0, blank)));
  if (first !== undefined) return first;
  for (const word of wordsOf(text)) {
    const named = dongNamed(living, word);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** The former regions of a record by its living one, the former one it names, and its dong. */
export function findFormerRegions(
  living: string,
  named: Region | null,
  dong: string | undefined,
): FormerRegions {
  const inside = new Set(named === null ? [] : [named.code, ...formersAround(named.code)]);
  const open = new Set<string>();
  for (const part of partsOfLiving.get(living) ?? []) {
    if (inside.has(part.former) || (named !== null && areApart(named.code, part.former))) continue;
    if (part.inside === null || (dong !== undefined && part.inside.has(dong)))
      inside.add(part.former);
    else if (dong === undefined || part.open.has(dong)) open.add(part.former);
  }
  for (const former of formersOfCity.get(living) ?? []) {
    if (!inside.has(former) && (named === null || !areApart(named.code, former))) open.add(former);
  }
  return { inside: [...inside].sort(), open: [...open].sort() };
}

/** True if two regions of the same time were disjoint: 인천 중구 and 동구, but not 마산시 and its 합포구. */
export function areApart(one: string, other: string): boolean {
  const [a, b] = [regionByCode(one), regionByCode(other)];
  if (a === undefined || b === undefined || a === b) return false;
  const coexisted = a.since < (b.until ?? '9') && b.since < (a.until ?? '9');
  return coexisted && !leadsInto(a, b) && !leadsInto(b, a);
}

function leadsInto(from: Region, to: Region): boolean {
  if (from.code === to.code || from.parent === to.code) return true;
  return from.successors.some(({ code }) => {
    const next = regionByCode(code);
    return next !== undefined && leadsInto(next, to);
  });
}

/** Former regions that contained all of another one: 마산시 contained 마산시 합포구. */
function formersAround(former: string): readonly string[] {
  const [first, ...others] = partsOfFormer.get(former) ?? [];
  return (partsOfLiving.get(first?.living ?? '') ?? [])
    .filter((part) => part.inside === null && part.former !== former)
    .filter((part) => others.every(({ living }) => isWhole(part.former, living)))
    .map((part) => part.former);
}

function isWhole(former: string, living: string): boolean {
  return partsOfFormer.get(former)?.some((p) => p.living === living && p.inside === null) ?? false;
}

// The file is generated by tools/regions.ts in exactly this shape; a test checks every line.
const parts: readonly FormerPart[] = (formerLines as [string, string, string][]).map(
  ([former, living, text]) => {
    const names = text.split(' ');
    return {
      former,
      living,
      inside: text === '*' ? null : new Set(names.filter((name) => !name.startsWith('?'))),
      open: new Set(names.flatMap((name) => (name.startsWith('?') ? [name.slice(1)] : []))),
    };
  },
);
const partsOfFormer: ReadonlyMap<string, readonly FormerPart[]> = Map.groupBy(
  parts,
  ({ former }) => former,
);
const partsOfLiving: ReadonlyMap<string, readonly FormerPart[]> = Map.groupBy(
  parts,
  ({ living }) => living,
);
const partial: ReadonlySet<string> = new Set(
  parts.flatMap(({ living, inside }) => (inside === null ? [] : [living])),
);
const formersOfCity = buildFormersOfCity();

/**
 * A record that names only 청주시 may belong to former 청원군, one that names only 12 to either former sido.
 */
function buildFormersOfCity(): Map<string, readonly string[]> {
  const built = new Map<string, readonly string[]>([['12', ['29', '46']]]);
  for (const { former, living } of parts) {
    const city = regionByCode(living)?.parent ?? '';
    const known = built.get(city) ?? [];
    if (city.length === 5 && !known.includes(former)) built.set(city, [...known, former]);
  }
  return built;
}
