import type { Finding } from '../src/data/finding.ts';
import { count, print, ProgressLine } from './terminal.ts';

/** Findings by kind: counted, the first few shown as they come. */
export class Findings {
  readonly #counts = new Map<string, number>();

  add({ kind, row, detail }: Finding): void {
    const found = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, found);
    if (found > shownMax) return;
    using line = new ProgressLine();
    line.note(`${row === null ? '' : `row ${row}: `}${detail}`);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  print(): void {
    for (const [kind, found] of this.#counts) print(`${kind}: ${count(found)}`);
  }
}

const shownMax = 5;
