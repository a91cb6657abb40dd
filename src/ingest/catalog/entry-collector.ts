import type { CatalogEntry } from '../../data/catalog.ts';
import { catalogEntryOf, type ColumnReader } from './entry.ts';
import type { EntryTable } from './entry-table.ts';
import type { CatalogReport } from './read.ts';

/** Collects the entries of a paged list, each id once, and reports all other items. */
export class EntryCollector {
  readonly #entries: EntryTable;
  readonly #report: CatalogReport;
  #row = 0;

  constructor(entries: EntryTable, report: CatalogReport) {
    this.#entries = entries;
    this.#report = report;
  }

  /** Adds an item and returns its entry; null if it is not a dataset or its id is repeated. */
  add(readColumn: ColumnReader): CatalogEntry | null {
    const row = ++this.#row;
    const entry = catalogEntryOf(readColumn, {
      refuse: (detail) => this.#report({ kind: 'row_refused', row, detail }),
      reportUnreadable: (detail) => this.#report({ kind: 'value_unreadable', row, detail }),
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
