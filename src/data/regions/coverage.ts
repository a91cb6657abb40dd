import { livingChildren, regionByCode } from './region-table.ts';
import type { Region, Succession } from './region-table.ts';

/**
 * Every code a record of the region can be counted under: the region's own, those of its living
 * parts, and for a merged sido the codes of the former ones (29 and 46 within 12).
 */
export function livingCodes(region: Region): string[] {
  const codes = new Set<string>();
  for (const end of livingEnds(region)) for (const code of codesWithin(end)) codes.add(code);
  return [...codes].sort();
}

/** The living regions a region became; itself while it lives. A former sido keeps its own part only. */
export function livingEnds(region: Region): readonly Region[] {
  const known = endsOf.get(region.code);
  if (known !== undefined) return known;
  const next = isPart(region) ? [] : region.successors.map(({ code }) => regionByCode(code));
  const ends =
    region.until === null || isPart(region)
      ? [region]
      : [...new Set(next.flatMap((one) => (one === undefined ? [] : livingEnds(one))))];
  endsOf.set(region.code, ends);
  return ends;
}

/**
 * True if a former sido is now a part of a larger one. Records that name only 광주광역시 are counted under its old
 * code 29: under 12 they would be indistinguishable from those of 전라남도.
 */
export function isPart(region: Region): boolean {
  return region.level === 'sido' && region.successors.some(({ kind }) => kind === 'n:1');
}

/** A code and those above it, from the sido down: `41111` → `41 41110 41111`, `12210` → `12 29 12210`. */
export function codesAbove(code: string): readonly string[] {
  const region = regionByCode(code);
  if (region === undefined) return [code];
  const sido = sidoCodeOf(code);
  // 12 is above both of its parts: a record that names nothing finer is certainly in neither.
  const part = code.length === 2 ? undefined : region.predecessors.find(isPartBefore);
  const codes = [sido, part?.code.slice(0, 2), region.parent, code];
  return [...new Set(codes.filter((one) => typeof one === 'string'))];
}

/** The living sido of any code records are counted under: `28155` → `28`, `29` → `12`. */
export function sidoCodeOf(code: string): string {
  const sido = regionByCode(code.slice(0, 2));
  return sido?.successors[0]?.code ?? code.slice(0, 2);
}

function codesWithin(region: Region): string[] {
  if (!isPart(region)) {
    const parts = region.predecessors.filter(({ code }) => partOf(code)).map(({ code }) => code);
    const below = livingChildren(region.code).flatMap(codesWithin);
    return [region.code, ...parts, ...below];
  }
  const successor = region.successors[0]?.code ?? '';
  const own = livingChildren(successor).filter(({ predecessors }) =>
    predecessors.some(({ code }) => code.startsWith(region.code)),
  );
  return [region.code, ...own.map(({ code }) => code)];
}

function isPartBefore({ code }: Succession): boolean {
  return partOf(code.slice(0, 2));
}

function partOf(code: string): boolean {
  const region = regionByCode(code);
  return region !== undefined && isPart(region);
}

const endsOf = new Map<string, readonly Region[]>();
