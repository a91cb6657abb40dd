/** A count of members among others: what it is the sum of tells what can be worked out from it. */
export interface Figure {
  readonly value: number;
  /** Groups of members by number, each with how often it is counted. */
  readonly parts: ReadonlyMap<number, number>;
  /** A cell is published. A difference of two cells is not, but whoever sees both has it; so it is with an identity, which all know. */
  readonly kind: 'cell' | 'difference' | 'identity';
}

/**
 * The cells that may not be shown: those under `least`, and as many others as it takes that no count of 1 to
 * `least - 1` members follows from those that are left. The smallest cell of what gives one away goes first.
 */
export function withheldFigures(figures: readonly Figure[], least: number): ReadonlySet<Figure> {
  const cells = figures.filter(({ kind }) => kind === 'cell');
  if (new Set(figures.flatMap(({ parts }) => [...parts.keys()])).size > partsMax) {
    return new Set(cells.slice(1));
  }
  const hidden = new Set(cells.filter(({ value }) => value < least));
  const guarded = figures.filter(({ value }) => value > 0 && value < least);
  for (;;) {
    const known = figures.filter(
      (one) => one.kind === 'identity' || (one.kind === 'cell' && !hidden.has(one)),
    );
    const before = hidden.size;
    for (const giving of disclosures(known, guarded, least)) {
      const choice = giving.filter(({ kind }) => kind === 'cell');
      if (choice.length === 0 || choice.some((one) => hidden.has(one))) continue;
      hidden.add(choice.reduce((a, b) => (b.value < a.value ? b : a)));
    }
    if (hidden.size === before) return hidden;
  }
}

/** More groups than eleven platforms can make; past it only the first cell is shown, rather than a long computation begun. */
const partsMax = 2_048;

/** What of the known figures, added to and taken from each other, makes a guarded one, or a count of a few members. */
function disclosures(
  known: readonly Figure[],
  guarded: readonly Figure[],
  least: number,
): readonly (readonly Figure[])[] {
  const space = new Space(known);
  const found: (readonly Figure[])[] = [];
  for (const figure of guarded) {
    const row = space.reduced(figure.parts);
    if (row !== null && space.isNothing(row)) found.push(space.sources(row));
  }
  for (const row of space.rows) {
    const count = space.countOf(row, known);
    if (count > 0.5 && count < least - 0.5 && space.isGroup(row)) found.push(space.sources(row));
  }
  return found;
}

/**
 * What follows from the known figures, by elimination (Gauss and Jordan). A row holds the weights of the groups that
 * are not known by themselves, and behind them how often it took each known figure.
 */
class Space {
  readonly rows: Float64Array[] = [];
  readonly #pivots: number[] = [];
  readonly #known: readonly Figure[];
  /** A group that is a figure by itself, by that figure's place. */
  readonly #alone = new Map<number, number>();
  readonly #columns = new Map<number, number>();

  constructor(known: readonly Figure[]) {
    this.#known = known;
    for (const [at, { parts }] of known.entries()) {
      const [only] = parts.keys();
      if (parts.size === 1 && parts.get(only!) === 1) this.#alone.set(only!, at);
    }
    for (const { parts } of known) {
      for (const part of parts.keys()) {
        if (!this.#alone.has(part) && !this.#columns.has(part)) {
          this.#columns.set(part, this.#columns.size);
        }
      }
    }
    for (const [at, { parts }] of known.entries()) {
      // Every group of a known figure has its place by now.
      const row = this.reduced(parts)!;
      row[this.#columns.size + at]! += 1;
      this.#take(row);
    }
  }

  /** What is left of these groups once all that is known is taken from them; null for a group nobody knows of. */
  reduced(parts: Figure['parts']): Float64Array | null {
    const width = this.#columns.size;
    const row = new Float64Array(width + this.#known.length);
    for (const [part, weight] of parts) {
      const alone = this.#alone.get(part);
      const column = this.#columns.get(part);
      if (alone !== undefined) row[width + alone]! -= weight;
      else if (column === undefined) return null;
      else row[column]! += weight;
    }
    for (const [at, pivot] of this.#pivots.entries()) subtract(row, this.rows[at]!, row[pivot]!);
    return row;
  }

  isNothing(row: Float64Array): boolean {
    const groups = row.subarray(0, this.#columns.size);
    return groups.every((weight) => Math.abs(weight) < epsilon);
  }

  /** Whether a row is some groups, each as often as it likes, and takes none away. */
  isGroup(row: Float64Array): boolean {
    return row.subarray(0, this.#columns.size).every((weight) => weight > -epsilon);
  }

  /** How many members a row counts. */
  countOf(row: Float64Array, known: readonly Figure[]): number {
    const width = this.#columns.size;
    return known.reduce((sum, { value }, at) => sum + value * row[width + at]!, 0);
  }

  /** The figures that a row was made of. */
  sources(row: Float64Array): readonly Figure[] {
    const width = this.#columns.size;
    return this.#known.filter((_, at) => Math.abs(row[width + at]!) > epsilon);
  }

  #take(row: Float64Array): void {
    const pivot = row.subarray(0, this.#columns.size).findIndex((w) => Math.abs(w) > epsilon);
    if (pivot === -1) return;
    const scale = row[pivot]!;
    for (let i = 0; i < row.length; i++) row[i]! /= scale;
    for (const other of this.rows) subtract(other, row, other[pivot]!);
    this.rows.push(row);
    this.#pivots.push(pivot);
  }
}

function subtract(row: Float64Array, other: Float64Array, times: number): void {
  if (Math.abs(times) < epsilon) return;
  for (let i = 0; i < row.length; i++) row[i]! -= times * other[i]!;
}

/** Weights are small whole numbers and their quotients. */
const epsilon = 1e-7;
