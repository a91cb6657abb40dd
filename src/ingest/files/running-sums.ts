import type { Cell } from './table.ts';

/** Sums of the columns over the first rows of a table, to recognise a total that has no name. */
export class RunningSums {
  readonly #sums: number[] = [];
  #rows = 0;

  /** True if the rows are too many to go on. */
  get isFull(): boolean {
    return this.#rows >= rowsMax;
  }

  add(cells: readonly Cell[]): void {
    this.#rows += 1;
    for (const [index, cell] of cells.entries()) {
      const number = numberOf(cell);
      if (number !== null) this.#sums[index] = (this.#sums[index] ?? 0) + number;
    }
  }

  /** True if a row begins with a blank cell and has only numbers, at least two, each the sum of its column. */
  isSumRow(cells: readonly Cell[]): boolean {
    if (this.#rows < rowsMin || (cells[0] ?? null) !== null) return false;
    let sums = 0;
    for (const [index, cell] of cells.entries()) {
      if (cell === null) continue;
      const number = numberOf(cell);
      const sum = this.#sums[index] ?? 0;
      if (number === null || Math.abs(number - sum) > Math.abs(sum) * rounding) return false;
      if (sum !== 0) sums += 1;
    }
    return sums > 1;
  }
}

/** Two rows may equal a third by chance. */
const rowsMin = 3;
/** Rows up to which a total without a name is looked for. */
const rowsMax = 500;
/** Binary fractions do not add up exactly. */
const rounding = 1e-9;

function numberOf(cell: Cell): number | null {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string' || !/^-?[\d,]+(?:\.\d+)?$/u.test(cell)) return null;
  return Number(cell.replaceAll(',', ''));
}
