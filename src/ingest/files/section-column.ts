import { isFactLine } from './header-rows.ts';
import { columnsKey, nameColumns } from './column-names.ts';
import type { Batch, Table } from './table.ts';

/**
 * Adds a column with the name of the section to the tables that have equal columns, because they become one table and
 * often nothing else distinguishes their rows. A section is a sheet, or a table below another one.
 */
export function nameEqualSections(tables: readonly Table[], columnName: string): Table[] {
  const tablesByColumns = Map.groupBy(tables, ({ columns }) => columnsKey(columns));
  return tables.map((table) =>
    tablesByColumns.get(columnsKey(table.columns))!.length > 1
      ? withColumn(table, columnName, table.section ?? '')
      : table,
  );
}

/** Distinct names of sections by the titles above them; a section without a title is named by its number. */
export function sectionNames(titles: readonly (readonly string[])[]): string[] {
  const named = titles.map((lines) => lines.filter((line) => !/단위/u.test(line)));
  const isOwn = (line: string): boolean =>
    !named.every((lines) => lines.includes(line)) && !isFactLine([line]);
  const own = named.map((lines) => lines.find(isOwn) ?? null);
  // A title over all tables names none of them.
  const names = own.includes(null) ? named.map(([line]) => line ?? null) : own;
  const { columns } = nameColumns(names.map((name, index) => name ?? `표 ${index + 1}`));
  return [...columns];
}

/** A table with one more column, which has the same value in all rows. */
export function withColumn(table: Table, columnName: string, value: string): Table {
  const { columns } = nameColumns([...table.columns, columnName]);
  const { layout } = table;
  return {
    ...table,
    columns,
    layout: { ...layout, units: [...layout.units, null] },
    batches: batchesWith(table.batches, value),
  };
}

async function* batchesWith(batches: AsyncIterable<Batch>, value: string): AsyncIterable<Batch> {
  for await (const batch of batches) {
    yield { ...batch, rows: batch.rows.map((cells) => [...cells, value]) };
  }
}
