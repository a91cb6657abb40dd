import type { Finding } from '../src/data/finding.ts';
import { formatCount, print, ProgressLine } from './terminal.ts';

/** Counts findings by kind, and prints the first few of each kind at once. */
export class Findings {
  readonly #counts = new Map<string, number>();

  add({ kind, row, detail }: Finding): void {
    const total = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, total);
    if (total > shownMax) return;
    using line = new ProgressLine();
    line.note(`${row === null ? '' : `row ${row}: `}${detail}`);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  print(): void {
    for (const [kind, total] of this.#counts) print(`${kind}: ${formatCount(total)}`);
  }
}

const shownMax = 5;
