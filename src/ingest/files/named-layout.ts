import type { ColumnNames } from './column-names.ts';
import type { TableLayout } from './table.ts';

/** Layout of a table whose format names its columns: no title, no header row, no units. */
export function namedLayout({ columns, renamed }: ColumnNames): TableLayout {
  const units = columns.map(() => null);
  return { titleLines: [], headerRows: 0, units, renamedColumns: renamed };
}
