import type { Quality, QualityFinding } from '../../data/axis.ts';
import type { Finding, FindingKind } from '../files/table.ts';

/** Findings of one kind: their number, and the first few with file and row. */
export interface FindingSummary {
  readonly kind: FindingKind;
  readonly count: number;
  readonly examples: readonly FindingExample[];
}

interface FindingExample {
  readonly file: string;
  readonly row: number | null;
  readonly detail: string;
}

/** Counts findings by kind and keeps the first few of each. */
export class Findings {
  readonly #byKind = new Map<FindingKind, { count: number; examples: FindingExample[] }>();

  add(file: string, { kind, row, detail }: Finding): void {
    this.addMany(kind, 1, [{ file, row, detail }]);
  }

  addMany(kind: FindingKind, count: number, examples: readonly FindingExample[]): void {
    let summary = this.#byKind.get(kind);
    if (summary === undefined) {
      summary = { count: 0, examples: [] };
      this.#byKind.set(kind, summary);
    }
    summary.count += count;
    const room = examplesMax - summary.examples.length;
    if (room > 0) summary.examples.push(...examples.slice(0, room));
  }

  all(): FindingSummary[] {
    return [...this.#byKind].map(([kind, summary]) => ({ kind, ...summary }));
  }
}

const examplesMax = 5;

/**
 * The findings that users of an axis must know; undefined if there are none. A finding that the previous version
 * of the axis also had keeps its date.
 */
export function qualityOf(
  findings: readonly FindingSummary[],
  previous: readonly QualityFinding[],
  collectedAt: string,
): Quality | undefined {
  const lasting = withoutHarmless(findings);
  if (lasting.length === 0) return undefined;
  const since = new Map(previous.map((finding) => [finding.kind, finding.since]));
  return {
    findings: lasting.map(({ kind, count }) => ({
      kind,
      count,
      since: since.get(kind) ?? collectedAt,
    })),
  };
}

/** Findings without those that lose no data, such as title lines and blank rows. */
export function withoutHarmless(findings: readonly FindingSummary[]): FindingSummary[] {
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
