import type { Quality, QualityFinding } from '../../data/axis.ts';
import type { FindingSummary } from './import-axis.ts';

/**
 * The findings that readers of an axis must know, or undefined if there are none. A finding that the
 * previous version of the axis had already keeps its date.
 */
export function qualityOf(
  findings: readonly FindingSummary[],
  previous: readonly QualityFinding[],
  collectedAt: string,
): Quality | undefined {
  const odd = oddOnly(findings);
  if (odd.length === 0) return undefined;
  const since = new Map(previous.map((finding) => [finding.kind, finding.since]));
  return {
    findings: odd.map(({ kind, count }) => ({
      kind,
      count,
      since: since.get(kind) ?? collectedAt,
    })),
  };
}

/** Findings about records: without those about lines that are no records and cost nothing. */
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
