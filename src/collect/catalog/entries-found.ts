import type { CatalogEntry } from '../../data/catalog.ts';
import { catalogEntryOf, type CatalogText } from './entry.ts';
import type { CatalogReport } from './read.ts';

/** Entries made of the items of a paged list as they come, each id once; what is none is reported. */
export class EntriesFound {
  readonly entries: CatalogEntry[] = [];
  readonly #ids = new Set<string>();
  readonly #report: CatalogReport;
  #row = 0;

  constructor(report: CatalogReport) {
    this.#report = report;
  }

  /** The entry of an item; null where it is none or came before. */
  add(text: CatalogText): CatalogEntry | null {
    const row = ++this.#row;
    const entry = catalogEntryOf(text, {
      fault: (detail) => this.#report({ kind: 'row_refused', row, detail }),
      doubt: (detail) => this.#report({ kind: 'value_unreadable', row, detail }),
    });
    if (entry === null) return null;
    if (this.#ids.has(entry.id)) {
      this.#report({ kind: 'duplicate', row, detail: `${entry.id} came on two pages` });
      return null;
    }
    this.#ids.add(entry.id);
    this.entries.push(entry);
    return entry;
  }
}
