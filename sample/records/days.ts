import calendar from '../../src/data/calendar.json' with { type: 'json' };
import type { Source } from '../hosts/operations.ts';
import type { Row, Value } from '../listing.ts';
import { Refusal } from '../refusal.ts';

/** Holidays, anniversaries and solar terms (KASI): facts, not inventions. */
export function daySources(): Readonly<Record<string, Source>> {
  return Object.fromEntries(
    calendar.axes.map(({ code, columns, rows }): [string, Source] => {
      const days = rows
        .map((cells) => rowOf(columns, cells))
        // The list of national days omits days that are holidays in one year only.
        .filter((row) => code !== 'gen_holideinfo' || !isOfOneYear(String(row['dateName'])));
      return [code, (query) => daysOf(days, query)];
    }),
  );
}

function daysOf(days: readonly Row[], query: ReadonlyMap<string, string>): Row[] {
  const year = query.get('solYear') ?? '';
  const month = query.get('solMonth') ?? '';
  if (!/^\d{4}$/.test(year) || !/^(?:\d{1,2})?$/.test(month))
    throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR');
  const start = year + (month === '' ? '' : month.padStart(2, '0'));
  return days.filter((day) => String(day['locdate']).startsWith(start));
}

function rowOf(columns: readonly string[], cells: readonly (string | null)[]): Row {
  const row: Record<string, Value> = {};
  for (const name of [...columns].sort()) {
    const cell = cells[columns.indexOf(name)] ?? null;
    if (cell !== null) row[name] = numericColumns.has(name) ? Number(cell) : cell;
  }
  return row;
}

const numericColumns: ReadonlySet<string> = new Set(['seq', 'sunLongitude']);

function isOfOneYear(name: string): boolean {
  return /^(?:대체공휴일|임시공휴일)|선거/.test(name);
}
