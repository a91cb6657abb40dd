import { withheldFigures, type Figure } from './disclosure.ts';
import type { MaskCount } from './store/activity.ts';

/** Who asks: a platform does not see cells small enough to point at a person. */
export type StatisticsViewer = 'operator' | 'platform';

/** A count of members; null where it, or what it would give away, is under 5 and a platform asks. */
export type Cell = number | null;

/** The cells of one answer and how they hang together, so that none gives away what another hides. */
export class Cells {
  readonly #figures: Figure[] = [];
  readonly #groups = new Map<MaskCount, number>();
  #next = 0;
  /** How many cells were not shown. */
  suppressed = 0;

  /** A count of its own. */
  of(value: number): Figure {
    return this.#add({ value, parts: new Map([[this.#next++, 1]]), kind: 'cell' });
  }

  /** The members of some of these sets. */
  ofMasks(
    counts: readonly MaskCount[],
    wanted: (count: MaskCount) => boolean = () => true,
  ): Figure {
    const own = counts.filter(wanted);
    const value = own.reduce((sum, { members }) => sum + members, 0);
    const parts = new Map(own.map((count) => [this.#group(count), 1]));
    return this.#add({ value, parts, kind: 'cell' });
  }

  /** Members of `whole` who are not of `part`, which lies within it. */
  difference(whole: Figure, part: Figure): void {
    const parts = combined([whole, [part, -1]]);
    this.#add({ value: whole.value - part.value, parts, kind: 'difference' });
  }

  /** Counts that make nothing together, as everyone knows. */
  identity(terms: readonly (Figure | readonly [figure: Figure, weight: number])[]): void {
    this.#add({ value: 0, parts: combined(terms), kind: 'identity' });
  }

  /** Tells what a viewer sees of each cell; asked once all of them are known. */
  shownTo(viewer: StatisticsViewer): (cell: Figure) => Cell {
    const withheld =
      viewer === 'platform' ? withheldFigures(this.#figures, cellMembersMin) : new Set<Figure>();
    this.suppressed = withheld.size;
    return (cell) => (withheld.has(cell) ? null : cell.value);
  }

  #group(count: MaskCount): number {
    const known = this.#groups.get(count) ?? this.#next++;
    this.#groups.set(count, known);
    return known;
  }

  #add(figure: Figure): Figure {
    this.#figures.push(figure);
    return figure;
  }
}

function combined(
  terms: readonly (Figure | readonly [figure: Figure, weight: number])[],
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const term of terms) {
    const [figure, times] = 'parts' in term ? [term, 1] : term;
    for (const [part, weight] of figure.parts) {
      sums.set(part, (sums.get(part) ?? 0) + times * weight);
    }
  }
  return new Map(Array.from(sums).filter(([, weight]) => weight !== 0));
}

const cellMembersMin = 5;
