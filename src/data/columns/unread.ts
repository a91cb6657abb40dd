import type { Condition } from './condition.ts';
import type { AxisReader } from './selection.ts';

/** Number of unreadable values in the whole axis, by the names of the query's columns that have any. */
export function unreadOf(
  reader: AxisReader,
  condition: Condition | undefined,
  columns: readonly string[],
): Record<string, number> {
  const names = new Set([...(condition === undefined ? [] : columnsOf(condition)), ...columns]);
  const counts: Record<string, number> = {};
  for (const name of names) {
    const { unreadableRows } = reader.scans.scanOf(name).column;
    if (unreadableRows > 0) counts[name] = unreadableRows;
  }
  return counts;
}

function columnsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(columnsOf);
    case 'not':
      return columnsOf(condition.part);
    default:
      return [condition.column];
  }
}
