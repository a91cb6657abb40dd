import { currentSidoCode, currentSuccessors, isSameSido } from './coverage.ts';
import { hasDong, sigunguOfDong } from './dongs.ts';
import { currentChildren } from './region-table.ts';
import type { Region } from './region-table.ts';
import { wordsOf } from './words.ts';

/**
 * The current code of a sigungu that a source names. If it was divided, or is a city with 일반구, the dong decides. If
 * the dong is unknown, the result is the code of the city that all parts share, or else of the sido.
 */
export function currentSigunguCode(sigungu: Region, dongs: string): string {
  const successors = currentSuccessors(sigungu);
  const [only] = successors;
  if (only === undefined) return currentSidoCode(sigungu.code);
  if (successors.length > 1) return partWithDong(successors, dongs) ?? sharedParent(successors);
  const districts = currentChildren(only.code);
  return districts.length === 0 ? only.code : (partWithDong(districts, dongs) ?? only.code);
}

/** The one current sigungu of a sido with a dong that the text names; undefined if none or several have it. */
export function sigunguByDong(sido: Region, dongs: string): string | undefined {
  const sidoCode = currentSidoCode(sido.code);
  for (const word of wordsOf(dongs)) {
    const sigungu = sigunguOfDong(sidoCode, word);
    if (sigungu !== undefined && isInSido(sigungu, sido)) return sigungu;
  }
  return undefined;
}

/** The candidate with a dong that the text names; undefined if none or several have it. */
export function candidateWithDong(
  candidates: readonly Region[],
  dongs: string,
): string | undefined {
  return partWithDong(
    [...new Set(candidates.flatMap(currentSuccessors).flatMap(smallestRegions))],
    dongs,
  );
}

function smallestRegions(region: Region): readonly Region[] {
  const districts = currentChildren(region.code);
  return districts.length === 0 ? [region] : districts;
}

/** True if a current sigungu lies in a current or former sido: 12210 in 광주광역시, not in 전라남도. */
export function isInSido(code: string, sido: Region): boolean {
  if (!isSameSido(code, sido.code)) return false;
  const [end] = currentSuccessors(sido);
  if (end?.code.length !== 2 || end.until === null) return true;
  return currentChildren(currentSidoCode(sido.code)).some(
    (one) =>
      one.code === code && one.predecessors.some((before) => before.code.startsWith(end.code)),
  );
}

/** True if a region belongs to a sido, or once did. */
export function everBelongedToSido(region: Region, sido: Region): boolean {
  if (region.level === 'sido') return isSameSido(region.code, sido.code);
  // 경상북도 군위군 was a valid name once.
  if (region.code.startsWith(sido.code)) return true;
  return currentSuccessors(region).some(({ code }) => isInSido(code, sido));
}

function partWithDong(parts: readonly Region[], dongs: string): string | undefined {
  for (const word of wordsOf(dongs)) {
    const partsHavingDong = parts.filter(({ code }) => hasDong(code, word));
    if (partsHavingDong.length === 1) return partsHavingDong[0]?.code;
  }
  return undefined;
}

function sharedParent(successors: readonly Region[]): string {
  const [first, ...others] = successors;
  const parent = first?.parent ?? '';
  const shared = others.every((end) => end.parent === parent);
  return shared ? parent : currentSidoCode(first?.code ?? '');
}
