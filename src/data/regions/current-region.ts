import { regionByCode } from './region-table.ts';

/** Codes of the current region of a record; null if they are not known. */
export interface CurrentRegion {
  readonly sido: string | null;
  readonly sigungu: string | null;
}

/** Finds the current region among the codes under which a record is counted; some are of former regions. */
export function currentRegion(codes: readonly string[]): CurrentRegion {
  const current = codes.filter((code) => (regionByCode(code)?.until ?? null) === null);
  const sigungu = current.filter((code) => code.length === 5);
  // A 일반구 is more exact than its city.
  const parents = new Set(sigungu.map((code) => regionByCode(code)?.parent));
  return {
    sido: current.find((code) => code.length === 2) ?? null,
    sigungu: sigungu.find((code) => !parents.has(code)) ?? null,
  };
}

export const noRegion: CurrentRegion = { sido: null, sigungu: null };
