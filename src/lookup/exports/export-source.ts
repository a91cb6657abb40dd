import type { Field, Row, StoredAxis } from '../../data/axis.ts';
import { rowsOf } from '../endpoints/rows.ts';
import type { LookupStore } from '../store/store.ts';

/** Records to export, before they are read. */
export interface ExportSource {
  readonly title: string;
  /** All fields of the axis. */
  readonly fields: readonly Field[];
  /** Columns of the file. */
  readonly columns: readonly ExportColumn[];
  /** Number of records. */
  readonly total: number;
  readonly blocks: () => AsyncGenerator<RecordBlock, void>;
}

type ExportColumn = Pick<Field, 'name' | 'label' | 'type'> & Partial<Pick<Field, 'labelSource'>>;

/** Some records in their order. */
export interface RecordBlock {
  /** JSON objects in UTF-8, joined by `,\n`. */
  readonly items: Buffer;
  readonly count: number;
  readonly rows: () => readonly Row[];
  /** The same records with every field. */
  readonly wholeRows: () => readonly Row[];
}

/** All records of an axis. */
export function wholeAxis(stored: StoredAxis, store: LookupStore): ExportSource {
  const { axis, fields, rows: total } = stored;
  const blocks = async function* (): AsyncGenerator<RecordBlock, void> {
    for (let offset = 0; offset < total; offset += blockRows) {
      const page = await store.page(axis.code, { offset, limit: blockRows });
      if (page.count === 0) return;
      let parsed: Row[] | null = null;
      const rows = (): Row[] => (parsed ??= rowsOf(page));
      yield { items: page.items, count: page.count, rows, wholeRows: rows };
    }
  };
  return { title: axis.title, fields, columns: fields, total, blocks };
}

/** Large enough to make the cost of a block negligible, small enough for many slow clients. */
const blockRows = 1_000;
