import type { Condition } from './condition.ts';
import type { AxisReading } from './selection.ts';

/** Number of unread values in the whole axis, by name of each typed column of a query; without those that have none. */
export function unreadOf(
  reading: AxisReading,
  condition: Condition | undefined,
  columns: readonly string[],
): Record<string, number> {
  const names = new Set([...(condition === undefined ? [] : columnsOf(condition)), ...columns]);
  const counts: Record<string, number> = {};
  for (const name of names) {
    const { unreadRows } = reading.scans.of(name).column;
    if (unreadRows > 0) counts[name] = unreadRows;
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
