import { currentChildren, regionByCode } from './region-table.ts';
import type { Region, Succession } from './region-table.ts';

/**
 * Every current code under which records of a region may be counted: its own and those of the regions within it. A
 * former region has the codes of its successors. 12 includes 29 and 46, the sidos that were merged into it.
 */
export function currentCodes(region: Region): string[] {
  const codes = new Set<string>();
  for (const current of currentSuccessors(region)) {
    for (const code of codesWithin(current)) codes.add(code);
  }
  return [...codes].sort();
}

/** The current regions that a former region became; for a current region or a merged sido, the region itself. */
export function currentSuccessors(region: Region): readonly Region[] {
  const cached = successorsByCode.get(region.code);
  if (cached !== undefined) return cached;
  const next = isMergedSido(region) ? [] : region.successors.map(({ code }) => regionByCode(code));
  const result =
    region.until === null || isMergedSido(region)
      ? [region]
      : [...new Set(next.flatMap((one) => (one === undefined ? [] : currentSuccessors(one))))];
  successorsByCode.set(region.code, result);
  return result;
}

/**
 * True for a former sido that was merged into another (29 and 46, into 12). Records that name only 광주광역시 are
 * counted under its old code 29: under 12 they would be indistinguishable from those of 전라남도.
 */
export function isMergedSido(region: Region): boolean {
  return region.level === 'sido' && region.successors.some(({ kind }) => kind === 'n:1');
}

/** The codes from the sido down to a code: `41111` → `41 41110 41111`, `12210` → `12 29 12210`. */
export function codesDownTo(code: string): readonly string[] {
  const region = regionByCode(code);
  if (region === undefined) return [code];
  const sido = currentSidoCode(code);
  // A record that names only 12 may be in either of the sidos that were merged into it.
  const predecessor = code.length === 2 ? undefined : region.predecessors.find(hasMergedSido);
  const codes = [sido, predecessor?.code.slice(0, 2), region.parent, code];
  return [...new Set(codes.filter((one) => typeof one === 'string'))];
}

/** Code of the current sido of a region code: `28155` → `28`, `29` → `12`. */
export function currentSidoCode(code: string): string {
  const sido = regionByCode(code.slice(0, 2));
  return sido?.successors[0]?.code ?? code.slice(0, 2);
}

/** True if the regions of two codes are in the same current sido. */
export function isSameSido(one: string, other: string): boolean {
  return currentSidoCode(one) === currentSidoCode(other);
}

function codesWithin(region: Region): string[] {
  if (!isMergedSido(region)) {
    const mergedSidos = region.predecessors.map(({ code }) => code).filter(isMergedSidoCode);
    const below = currentChildren(region.code).flatMap(codesWithin);
    return [region.code, ...mergedSidos, ...below];
  }
  const successor = region.successors[0]?.code ?? '';
  const own = currentChildren(successor).filter(({ predecessors }) =>
    predecessors.some(({ code }) => code.startsWith(region.code)),
  );
  return [region.code, ...own.map(({ code }) => code)];
}

function hasMergedSido({ code }: Succession): boolean {
  return isMergedSidoCode(code.slice(0, 2));
}

function isMergedSidoCode(code: string): boolean {
  const region = regionByCode(code);
  return region !== undefined && isMergedSido(region);
}

const successorsByCode = new Map<string, readonly Region[]>();
