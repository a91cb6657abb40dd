import type { RecordsFile } from '../../data/snapshot/records.ts';
import { runLimits } from './limits.ts';

/** True for a text with U+FFFD, which replaces invalid bytes, or with half of a surrogate pair (`\\ud83d`). */
export function isDamaged(text: string): boolean {
  return text.includes('\uFFFD') || !text.isWellFormed();
}

/** True if more than `damagedShareMax` of the records have damaged text. */
export function isMostlyDamaged(damaged: number, rows: number): boolean {
  return damaged > rows * runLimits.damagedShareMax;
}

/** Counts the served records with damaged text, for comparison; 0 unless `isMostlyDamaged` for the new records. */
export function countPreviousDamage(
  previous: { readonly records: RecordsFile } | null,
  damaged: number,
  rows: number,
): number {
  if (previous === null || !isMostlyDamaged(damaged, rows)) return 0;
  const { records } = previous;
  let count = 0;
  for (let at = 0; at < records.count; at++) if (records.record(at).includes('\uFFFD')) count++;
  return count;
}
