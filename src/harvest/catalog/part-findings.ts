import type { Finding } from '../runs/gates.ts';
import type { CatalogFinding } from '../../ingest/catalog/read.ts';

/** What a part's rows were like, counted by kind. */
export class PartFindings {
  readonly #counts = new Map<Finding['kind'], { count: number; detail: string }>();

  add({ kind, detail }: CatalogFinding): void {
    if (kind === 'row_refused') this.#count('rows_refused', 1, detail);
    else if (kind === 'duplicate') this.#count('duplicate_keys', 1, detail);
    else this.#count('values_unreadable', 1, detail);
  }

  mismatch(count: number): void {
    if (count === 0) return;
    this.#count('count_mismatch', count, `The pages differ from the total by ${count} datasets.`);
  }

  all(): Finding[] {
    return [...this.#counts].map(([kind, { count, detail }]) => ({ kind, count, detail }));
  }

  #count(kind: Finding['kind'], count: number, detail: string): void {
    const found = this.#counts.get(kind);
    if (found === undefined) this.#counts.set(kind, { count, detail });
    else found.count += count;
  }
}
