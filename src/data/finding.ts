import type { Quality } from './axis.ts';

/** Something unusual in data, with its place in the source. */
export interface Finding<Kind extends string = string> {
  readonly kind: Kind;
  /**
   * 1-based: the line of a text, the row of a spreadsheet, or the ordinal of a record, a measurement or an item.
   * Null for the source as a whole.
   */
  readonly row: number | null;
  readonly detail: string;
}

/** Findings of one kind: their number, and the first 10,000. */
export interface FindingSummary<Kind extends string, Example> {
  readonly kind: Kind;
  readonly count: number;
  readonly examples: readonly Example[];
}

/** Findings counted by kind, with the first 10,000 of each. */
export class FindingCounts<Kind extends string, Example> {
  readonly #byKind = new Map<Kind, { count: number; examples: Example[] }>();

  /** Returns the number of findings of the kind so far. */
  add(kind: Kind, examples: readonly Example[], count = 1): number {
    const entry = this.#byKind.get(kind) ?? { count: 0, examples: [] };
    this.#byKind.set(kind, entry);
    const room = examplesMax - entry.examples.length;
    if (room > 0) entry.examples.push(...examples.slice(0, room));
    return (entry.count += count);
  }

  all(): FindingSummary<Kind, Example>[] {
    return [...this.#byKind].map(([kind, found]) => ({ kind, ...found }));
  }
}

/** Most examples of one kind. A report shows the first few, and a report as JSON all of them. */
const examplesMax = 10_000;

/** Findings about an axis. `since` has the start of each kind that was found before; a new kind starts `now`. */
export function qualityOf(
  findings: readonly { readonly kind: string; readonly count: number }[],
  since: ReadonlyMap<string, string>,
  now: string,
): Quality {
  return {
    findings: findings.map(({ kind, count }) => ({ kind, count, since: since.get(kind) ?? now })),
  };
}
