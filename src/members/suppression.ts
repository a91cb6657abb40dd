/** Reader of an answer. A platform does not see counts so small that they could identify members. */
export type StatisticsViewer = 'operator' | 'platform';

/** A published count of members; null if it is suppressed. */
export type Cell = number | null;

/** A count of members before suppression. */
export interface Count {
  readonly value: number;
}

/**
 * The counts of an answer, and the sums that readers know to hold between them. A platform does not see a count under
 * five. If a sum would reveal one, the smallest other count of the sum is suppressed too, until no sum reveals any.
 */
export class CountTable {
  readonly #published: Count[] = [];
  /** Differences that readers can work out. */
  readonly #derived: Count[] = [];
  readonly #sums: Sum[] = [];
  /** Number of suppressed counts; known after `shownTo`. */
  suppressed = 0;

  /** Adds a published count. */
  add(value: number): Count {
    const count = { value };
    this.#published.push(count);
    return count;
  }

  /** States that the counts of both lists add up to the same. */
  balance(left: readonly Count[], right: readonly Count[]): void {
    this.#sums.push({ left, right });
  }

  /**
   * States that `part` counts some of the members of `whole`, so that readers can work out the number of the others.
   */
  nest(whole: Count, part: Count): void {
    const others = { value: whole.value - part.value };
    this.#derived.push(others);
    this.balance([whole], [part, others]);
  }

  /** Returns the function that publishes a count to this viewer. Called after all counts and sums are added. */
  shownTo(viewer: StatisticsViewer): (count: Count) => Cell {
    if (viewer === 'operator') return ({ value }) => value;
    const small = this.#published.filter(({ value }) => value < membersMin);
    const hidden = new Set([...small, ...this.#derived]);
    let sizeBefore;
    do {
      sizeBefore = hidden.size;
      for (const sum of this.#sums) this.#protect(sum, hidden);
    } while (hidden.size > sizeBefore);
    this.suppressed = hidden.size - this.#derived.length;
    return (count) => (hidden.has(count) ? null : count.value);
  }

  /** Hides the smallest shown count of a sum, if the sum reveals the counts hidden in it. */
  #protect({ left, right }: Sum, hidden: Set<Count>): void {
    const hiddenBySide = [left, right].map((side) =>
      side.filter((count) => count.value > 0 && hidden.has(count)),
    );
    // With hidden counts on both sides, the sum gives only their difference.
    if (!hiddenBySide.some((side) => side.length === 0)) return;
    const hiddenCounts = hiddenBySide.flat();
    const members = hiddenCounts.reduce((sum, { value }) => sum + value, 0);
    const [only] = hiddenCounts;
    const isRevealed = hiddenCounts.length === 1 && !this.#derived.includes(only!);
    if (!isRevealed && (members === 0 || members >= membersMin)) return;
    const shown = [...left, ...right].filter((count) => !hidden.has(count));
    if (shown.length > 0) hidden.add(shown.reduce((a, b) => (b.value < a.value ? b : a)));
  }
}

interface Sum {
  readonly left: readonly Count[];
  readonly right: readonly Count[];
}

const membersMin = 5;
