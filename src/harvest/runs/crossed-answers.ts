import type { Text } from '../../data/axis.ts';

/**
 * Counts requests that got the answer of another request, as from a cache that mixes them up. Most answers repeat a
 * parameter, such as the code of a region, in a field. An answer is crossed if that field has, in all of its rows, the
 * value that another request sent.
 */
export class CrossedAnswers {
  readonly #pairs = new Map<string, Pair>();
  readonly #sent = new Map<string, Set<string>>();

  /** Adds a request with the values that all rows of its answer have, by column. */
  add(parameters: Readonly<Record<string, string>>, constants: ReadonlyMap<string, string>): void {
    for (const [parameter, value] of Object.entries(parameters)) {
      const sent = this.#sent.get(parameter) ?? new Set();
      this.#sent.set(parameter, sent.add(value));
      for (const [field, answered] of constants) {
        const key = `${parameter}\n${field}`;
        const pair = this.#pairs.get(key) ?? { parameter, equal: 0, others: new Map() };
        this.#pairs.set(key, pair);
        if (answered === value) pair.equal++;
        else if (pair.others.has(answered) || pair.others.size < valuesMax) {
          pair.others.set(answered, (pair.others.get(answered) ?? 0) + 1);
        }
      }
    }
  }

  /** Number of crossed answers: the highest count for any pair of a parameter and a field. */
  count(): number {
    const counts = [...this.#pairs.values()].map(({ parameter, equal, others }) => {
      const sent = this.#sent.get(parameter)!;
      const different = [...others.values()].reduce((sum, each) => sum + each, 0);
      if (sent.size < valuesSentMin || equal < equalMin || equal < different) return 0;
      return [...others].reduce((sum, [value, each]) => sum + (sent.has(value) ? each : 0), 0);
    });
    return Math.max(0, ...counts);
  }
}

/** A parameter and a field that may repeat it. */
interface Pair {
  readonly parameter: string;
  /** Answers whose rows all have the value that was sent. */
  equal: number;
  /** Number of answers whose rows all have another value, by that value. */
  readonly others: Map<string, number>;
}

/** Values and equal answers from which a field repeats a parameter; with fewer, they may agree by chance. */
const valuesSentMin = 5;
const equalMin = 5;
/** Most values in `others`, to bound memory; a field that repeats a parameter has fewer. */
const valuesMax = 50_000;

/** Values that all rows of an answer have. */
export class ConstantCells {
  #first: readonly Text[] | null = null;
  /** Columns that have been constant so far. */
  #constant: readonly number[] = [];

  add(cells: readonly Text[]): void {
    const first = this.#first;
    if (first === null) {
      this.#first = cells;
      this.#constant = [...cells.keys()].filter((at) => cells[at] !== null);
    } else if (this.#constant.some((at) => cells[at] !== first[at])) {
      this.#constant = this.#constant.filter((at) => cells[at] === first[at]);
    }
  }

  /** The values by the name of their column; empty without rows. */
  byColumn(columns: readonly string[]): Map<string, string> {
    return new Map(
      this.#constant.flatMap((at) => {
        const cell = this.#first?.[at] ?? null;
        return cell === null ? [] : [[columns[at]!, cell] as const];
      }),
    );
  }
}
