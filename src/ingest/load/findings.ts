import type { BilingualText } from '../../contract/language.ts';
import type { FindingSummary } from '../../data/finding.ts';
import type { FindingKind } from '../files/table.ts';

/** A finding in one of the files of an axis. */
export interface FindingExample {
  readonly file: string;
  /** As in a `Finding`. */
  readonly row: number | null;
  readonly detail: BilingualText;
}

export type FileFindings = FindingSummary<FindingKind, FindingExample>;

/** Findings without those that lose no data, such as title lines and blank rows. */
export function withoutHarmless(findings: readonly FileFindings[]): FileFindings[] {
  return findings.filter(({ kind }) => !harmless.has(kind));
}

const harmless: ReadonlySet<string> = new Set([
  'title_line',
  'title_missing',
  'column_renamed',
  'column_added',
  'header_inherited',
  'header_repeated',
  'row_deleted',
  'row_blank',
  'row_note',
  'row_total',
  'escapes_removed',
  'position_computed',
]);
