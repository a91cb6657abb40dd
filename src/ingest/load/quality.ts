import type { StoredAxis, Quality } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import { rewriteAxis } from '../../data/snapshot/axis-writer.ts';
import type { FindingSummary } from './import-axis.ts';

/**
 * Writes into an axis what reading its files found odd, so that whoever reads the records can know. A
 * finding that `before` had already keeps its day.
 */
export function withQuality(
  folder: string,
  written: WrittenAxis,
  findings: readonly FindingSummary[],
  before: StoredAxis | null,
): WrittenAxis {
  const odd = oddOnly(findings);
  if (odd.length === 0) return written;
  const known = new Map(before?.quality?.findings.map(({ kind, since }) => [kind, since]));
  const { collectedAt } = written.stored.axis;
  const quality: Quality = {
    findings: odd.map(({ kind, count }) => ({
      kind,
      count,
      since: known.get(kind) ?? collectedAt,
    })),
  };
  const stored = { ...written.stored, quality };
  return { stored, files: { ...written.files, [fileNames.axis]: rewriteAxis(folder, stored) } };
}

/** Findings without the lines that are no records and cost nothing. */
export function oddOnly(findings: readonly FindingSummary[]): FindingSummary[] {
  return findings.filter(({ kind }) => !harmless.has(kind));
}

const harmless: ReadonlySet<string> = new Set([
  'title_line',
  'column_renamed',
  'header_repeated',
  'row_blank',
  'row_note',
  'row_total',
]);
