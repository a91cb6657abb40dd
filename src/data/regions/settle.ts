import { livingEnds, sidoCodeOf } from './coverage.ts';
import { hasDong, sigunguOfDong } from './dongs.ts';
import { livingChildren } from './region-table.ts';
import type { Region } from './region-table.ts';
import { wordsOf } from './words.ts';

/**
 * The living code of a sigungu as some source named it, with the dong deciding where the sigungu was
 * divided or is a city with 일반구. Undecided it is the city all parts share, else the sido.
 */
export function livingSigunguCode(sigungu: Region, dongs: string): string {
  const ends = livingEnds(sigungu);
  const [only] = ends;
  if (only === undefined) return sidoCodeOf(sigungu.code);
  if (ends.length > 1) return partWithDong(ends, dongs) ?? sharedParent(ends);
  const districts = livingChildren(only.code);
  return districts.length === 0 ? only.code : (partWithDong(districts, dongs) ?? only.code);
}

/** The living sigungu of a sido that alone has a dong named in the text; undefined if none. */
export function sigunguByDong(sido: Region, dongs: string): string | undefined {
  const living = sidoCodeOf(sido.code);
  for (const word of wordsOf(dongs)) {
    const found = sigunguOfDong(living, word);
    if (found !== undefined && isWithin(found, sido)) return found;
  }
  return undefined;
}

/** The one of several sigungu of the same name that has a dong named in the text; undefined if none. */
export function sigunguWithDong(candidates: readonly Region[], dongs: string): string | undefined {
  return partWithDong([...new Set(candidates.flatMap(livingEnds).flatMap(smallest))], dongs);
}

function smallest(region: Region): readonly Region[] {
  const districts = livingChildren(region.code);
  return districts.length === 0 ? [region] : districts;
}

/**
 * True if a living sigungu belongs to the region that a sido's name meant: 12210 to 광주광역시, not to 전라남도.
 */
export function isWithin(code: string, sido: Region): boolean {
  if (sidoCodeOf(code) !== sidoCodeOf(sido.code)) return false;
  const [end] = livingEnds(sido);
  if (end?.code.length !== 2 || end.until === null) return true;
  return livingChildren(sidoCodeOf(sido.code)).some(
    (one) =>
      one.code === code && one.predecessors.some((before) => before.code.startsWith(end.code)),
  );
}

/** True if a region belongs to the sido of that name, or did when both had these names. */
export function agrees(region: Region, sido: Region): boolean {
  if (region.level === 'sido') return sidoCodeOf(region.code) === sidoCodeOf(sido.code);
  // 경상북도 군위군 was right in its time.
  if (region.code.startsWith(sido.code)) return true;
  return livingEnds(region).some(({ code }) => isWithin(code, sido));
}

function partWithDong(parts: readonly Region[], dongs: string): string | undefined {
  for (const word of wordsOf(dongs)) {
    const having = parts.filter(({ code }) => hasDong(code, word));
    if (having.length === 1) return having[0]?.code;
  }
  return undefined;
}

function sharedParent(ends: readonly Region[]): string {
  const [first, ...others] = ends;
  const parent = first?.parent ?? '';
  const shared = others.every((end) => end.parent === parent);
  return shared ? parent : sidoCodeOf(first?.code ?? '');
}
