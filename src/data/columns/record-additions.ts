import type { Value } from '../axis.ts';
import { idText } from '../record-id.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { ColumnsFile } from './columns-file.ts';

/** Reads the values that Maru adds to the record of a row. */
export function readAdditions(columns: ColumnsFile, row: number): RecordAdditions {
  const [high, low] = columns.ids(row, 1);
  return {
    _id: idText(high!, low!),
    _sido: textOf(columns, '_sido', row),
    _sigungu: textOf(columns, '_sigungu', row),
    _total: valueAt(columns, '_total', row) === true,
  };
}

export interface RecordAdditions {
  /** Stable id: 16 hexadecimal digits. */
  readonly _id: string;
  /** Code of the current region; null if the region is not known. */
  readonly _sido: string | null;
  readonly _sigungu: string | null;
  /** True for a total or subtotal of the source. */
  readonly _total: boolean;
}

/** Finds the row of the first record with an id; null if there is none. */
export function* findId(columns: ColumnsFile, id: string): Generator<void, number | null> {
  if (!/^[0-9a-f]{16}$/.test(id)) return null;
  const [high, low] = [parseInt(id.slice(0, 8), 16), parseInt(id.slice(8), 16)];
  for (let from = 0; from < columns.rows; from += chunkDocumentsMax) {
    const count = Math.min(chunkDocumentsMax, columns.rows - from);
    const ids = columns.ids(from, count);
    for (let record = 0; record < count; record++) {
      if (ids[record * 2] === high && ids[record * 2 + 1] === low) return from + record;
    }
    yield;
  }
  return null;
}

function textOf(columns: ColumnsFile, name: string, row: number): string | null {
  const value = valueAt(columns, name, row);
  return typeof value === 'string' ? value : null;
}

function valueAt(columns: ColumnsFile, name: string, row: number): Value {
  const column = columns.column(name);
  return column.valueOf(column.codeOf(row));
}
