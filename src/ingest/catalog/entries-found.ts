import type { CatalogEntry } from '../../data/catalog.ts';
import { catalogEntryOf, type CatalogText } from './entry.ts';
import type { EntryTable } from './entry-table.ts';
import type { CatalogReport } from './read.ts';

/** Entries made of the items of a paged list as they come, each id once; what is none is reported. */
export class EntriesFound {
  readonly #entries: EntryTable;
  readonly #report: CatalogReport;
  #row = 0;
  #count = 0;

  constructor(entries: EntryTable, report: CatalogReport) {
    this.#entries = entries;
    this.#report = report;
  }

  /** Entries so far. */
  get count(): number {
    return this.#count;
  }

  /** The entry of an item; null if it is none or came before. */
  add(text: CatalogText): CatalogEntry | null {
    const row = ++this.#row;
    const entry = catalogEntryOf(text, {
      fault: (detail) => this.#report({ kind: 'row_refused', row, detail }),
      doubt: (detail) => this.#report({ kind: 'value_unreadable', row, detail }),
    });
    if (entry === null) return null;
    if (this.#entries.find(entry.id) !== null) {
      this.#report({ kind: 'duplicate', row, detail: `${entry.id} came on two pages` });
      return null;
    }
    this.#entries.put(entry, row);
    this.#count++;
    return entry;
  }
}
