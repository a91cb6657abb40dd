import type { Field, Row, StoredAxis } from '../../data/axis.ts';
import type { SelectResult } from '../../data/columns/select-records.ts';
import { rowsOf } from '../endpoints/rows.ts';
import { selectedParts, shownColumns, type RowsQuery } from '../selected-page.ts';
import type { ApiRequest } from '../serve.ts';
import type { ShownField } from '../shown-fields.ts';
import { readShownRecords, type ShownRecords } from '../shown-records.ts';
import type { LookupStore } from '../store/store.ts';

/** Records to export, before they are read. */
export interface ExportSource {
  readonly title: string;
  /** All fields of the axis. */
  readonly fields: readonly Field[];
  /** Columns of the file. */
  readonly columns: readonly ShownField[];
  /** Number of records. */
  readonly total: number;
  /** Reads the records from a block on. Only an export of a whole axis can begin after the first block. */
  readonly blocks: (first?: number) => AsyncGenerator<RecordBlock, void>;
}

/** Some records in their order. */
export interface RecordBlock extends Pick<ShownRecords, 'items' | 'rows' | 'wholeRows'> {
  readonly count: number;
}

/** All records of an axis. */
export function wholeAxis(stored: StoredAxis, store: LookupStore): ExportSource {
  const { axis, fields, rows: total } = stored;
  const blocks = async function* (first = 0): AsyncGenerator<RecordBlock, void> {
    for (let offset = first * blockRows; offset < total; offset += blockRows) {
      const page = await store.page(axis.code, { offset, limit: blockRows });
      if (page.count === 0) return;
      let parsed: Row[] | null = null;
      const rows = (): Row[] => (parsed ??= rowsOf(page));
      yield { items: () => page.items, count: page.count, rows, wholeRows: rows };
    }
  };
  return { title: axis.title, fields, columns: fields, total, blocks };
}

/**
 * The records that a query selects, in its order. The first of them are selected at once, which gives their number;
 * the others follow as the client reads, so that memory does not grow with the export.
 */
export async function selectedRecords(
  query: RowsQuery,
  stored: StoredAxis,
  { data: store, isAbandoned }: ApiRequest<LookupStore>,
): Promise<ExportSource> {
  const { axis, fields } = stored;
  const { selection } = query;
  const parts = selection === null ? null : selectedParts(query, selection);
  const select = (offset: number) =>
    parts === null
      ? noRecords
      : store.select(axis.code, { ...parts, offset, limit: selectedRows }, isAbandoned);
  const first = await select(0);
  const { total } = first;
  const blocks = async function* (): AsyncGenerator<RecordBlock, void> {
    for (let offset = 0; offset < total; offset += selectedRows) {
      const { rows, distances } = offset === 0 ? first : await select(offset);
      for (let at = 0; at < rows.length; at += blockRows) {
        const block = {
          rows: rows.slice(at, at + blockRows),
          ...(distances === undefined ? {} : { distances: distances.slice(at, at + blockRows) }),
        };
        yield { count: block.rows.length, ...readShownRecords(query, block, stored, store) };
      }
    }
  };
  return { title: axis.title, fields, columns: shownColumns(query, stored), total, blocks };
}

/** Large enough to make the cost of a block negligible, small enough for many slow clients. */
const blockRows = 1_000;
/** Ordinals selected at once. They take half a megabyte; each selection reads the columns of the query again. */
const selectedRows = 65_536;

const noRecords: SelectResult = { rows: [], total: 0, unread: {} };
