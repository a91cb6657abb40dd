import type { Quality, QualityFinding } from '../../data/axis.ts';
import type { Finding, FindingKind } from '../files/table.ts';

/** Findings of one kind: their number, and the first few with their place. */
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
    let found = this.#byKind.get(kind);
    if (found === undefined) {
      found = { count: 0, examples: [] };
      this.#byKind.set(kind, found);
    }
    found.count += count;
    const room = examplesMax - found.examples.length;
    if (room > 0) found.examples.push(...examples.slice(0, room));
  }

  all(): FindingSummary[] {
    return [...this.#byKind].map(([kind, found]) => ({ kind, ...found }));
  }
}

const examplesMax = 5;

/**
 * The findings that readers of an axis must know, or undefined if there are none. A finding that the
 * previous version of the axis had already keeps its date.
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

/** Findings about records: without those about lines that are no records and cost nothing. */
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
