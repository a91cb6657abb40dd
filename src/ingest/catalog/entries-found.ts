import type { CatalogEntry } from '../../data/catalog.ts';
import { catalogEntryOf, type CatalogText } from './entry.ts';
import type { EntryTable } from './entry-table.ts';
import type { CatalogReport } from './read.ts';

/** Converts the items of a paged list to entries, each id once; reports all other items. */
export class EntriesFound {
  readonly #entries: EntryTable;
  readonly #report: CatalogReport;
  #row = 0;

  constructor(entries: EntryTable, report: CatalogReport) {
    this.#entries = entries;
    this.#report = report;
  }

  /** Adds an item and returns its entry; null if it is not a dataset or its id is repeated. */
  add(text: CatalogText): CatalogEntry | null {
    const row = ++this.#row;
    const entry = catalogEntryOf(text, {
      fault: (detail) => this.#report({ kind: 'row_refused', row, detail }),
      doubt: (detail) => this.#report({ kind: 'value_unreadable', row, detail }),
    });
    if (entry === null) return null;
    if (this.#entries.find(entry.id) !== null) {
      this.#report({ kind: 'duplicate', row, detail: `${entry.id} is on two pages` });
      return null;
    }
    this.#entries.put(entry, row);
    return entry;
  }
}
