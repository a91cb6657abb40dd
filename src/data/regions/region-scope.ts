import type { RegionBasis, StoredAxis } from '../axis.ts';
import { currentSidos, currentSigungu, type Region } from './region-table.ts';

/** The current regions in which the records of an axis lie. */
export interface RegionScope {
  /** Its sidos, those with the most records first. */
  readonly sidos: readonly Region[];
  /** The only sigungu of all records; null if they lie in several or in none that is known. */
  readonly sigungu: Region | null;
  /** Number of sigungu with records, without the 구 of a city. */
  readonly sigunguCount: number;
  /** Number of all sigungu of these sidos. */
  readonly sigunguTotal: number;
  /** Share of the placed records that lie in the first sido. */
  readonly firstShare: number;
  /** Number of records whose sido is not known. */
  readonly unplaced: number;
  readonly basis: readonly RegionBasis[];
}

/** The regions of an axis by its prepared counts; null if no record has one. */
export function regionScope({
  regions,
  rows,
}: Pick<StoredAxis, 'regions' | 'rows'>): RegionScope | null {
  const counted = new Map(regions.map((one) => [one.code, one]));
  const found = currentSidos
    .flatMap((sido) => counted.get(sido.code) ?? [])
    .toSorted((a, b) => b.rows - a.rows || (a.code < b.code ? -1 : 1));
  const [first] = found;
  if (first === undefined) return null;
  const placed = found.reduce((sum, one) => sum + one.rows, 0);
  const codes = new Set(found.map(({ code }) => code));
  const within = currentSigungu.filter(({ parent }) => codes.has(parent!));
  const withRecords = within.filter(({ code }) => counted.has(code));
  const [only] = withRecords;
  const isOnly = withRecords.length === 1 && counted.get(only!.code)!.rows === placed;
  return {
    sidos: found.map(({ code }) => currentSidos.find((sido) => sido.code === code)!),
    sigungu: isOnly ? only! : null,
    sigunguCount: withRecords.length,
    sigunguTotal: within.length,
    firstShare: first.rows / placed,
    unplaced: Math.max(0, rows - placed),
    basis: [...new Set(found.flatMap(({ basis }) => basis))],
  };
}

/** Number of current sidos. */
export function sidoTotal(): number {
  return currentSidos.length;
}
