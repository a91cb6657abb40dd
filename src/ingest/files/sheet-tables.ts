import { countFilled, type HeadRow } from './head-row.ts';
import { findHeading, headingOfPart, singleHeaderRow, type Heading } from './heading.ts';
import { findingTexts } from './finding-texts.ts';
import type { Part } from './part.ts';
import { partHeader, type PartHeader } from './part-header.ts';
import { sectionNames } from './section-column.ts';
import { filledWidth, rowsOf, type Grid } from './sheet-grid.ts';
import { tablesBeside, unclearSides } from './side-tables.ts';
import { TableBody } from './table-body.ts';
import { TableSections, type Section } from './table-sections.ts';
import type { Batch, FindingSink, Table } from './table.ts';

/** The tables of a sheet, and the header of its only table; null if there are more tables or no header. */
interface GridTables {
  readonly tables: readonly Omit<Table, 'format' | 'encoding'>[];
  readonly header: PartHeader | null;
}

/** The tables of a sheet, nearly always one: beside each other, below each other, or both. */
export function gridTables(grid: Grid, sheet: string, part: Part): GridTables {
  const places = placesIn(grid, { ...part, path: pathOf(part, sheet) });
  const header = places.length === 1 ? headerOf(places[0]!, sheet) : null;
  const names = sectionNames(places.map(({ heading }) => heading.layout.titleLines));
  for (const { sides, firstRow: row } of places) {
    if (sides === null) continue;
    const detail = findingTexts.sidesUnclear(sides, pathOf(part, sheet));
    part.finding({ kind: 'layout_unclear', row, detail });
  }
  const tables = places.map((place, index) => ({
    part: part.path,
    section: places.length === 1 ? sheet : `${sheet}/${names[index]}`,
    columns: place.heading.columns,
    layout: place.heading.layout,
    batches: gridBatches(place, part.finding),
  }));
  return { tables, header };
}

function pathOf({ path }: Part, sheet: string): string {
  return path === null ? sheet : `${path}/${sheet}`;
}

function headerOf({ rows, heading }: GridPlace, sheet: string): PartHeader | null {
  const { columns, layout, firstDataRow } = heading;
  if (layout.headerRows === 0) return null;
  return partHeader(sheet, columns, rows.slice(firstDataRow, firstDataRow + headerValuesMax));
}

/** Most rows whose values are stored with a header. */
const headerValuesMax = 1024;

/** One table in a sheet. */
interface GridPlace {
  /** The rows of the table in an array of its own: each is dropped as soon as it is read. */
  readonly rows: HeadRow[];
  readonly firstRow: number;
  readonly heading: Heading;
  /** First names at both sides of a blank column that may divide the table; null without such a column. */
  readonly sides: readonly [string, string] | null;
}

function placesIn(grid: Grid, part: Part): GridPlace[] {
  return tablesBeside(grid).flatMap((side, _, sides) => {
    const sections = sectionsOf(side);
    return sections.flatMap((section, index) => {
      const { start, head, headLines, usedWidth } = section;
      const place = rowsOf(side, start, sections[index + 1]?.start);
      // Tables may be beside each other in a part of the sheet only.
      const isDivided = sides.length > 1 || sections.length > 1;
      const parts = isDivided ? tablesBeside(place) : [place];
      if (parts.length > 1) return parts.flatMap((each) => placesIn(each, part));
      const { rows, firstRow } = place;
      const heading = isDivided
        ? findHeading(head, usedWidth, part.limits, headLines)
        : headingOfPart(part, { ...section, line: firstRow });
      return [{ rows: [...rows], firstRow, heading, sides: unclearSides(place) }];
    });
  });
}

function sectionsOf(grid: Grid): readonly Section[] {
  const sections = new TableSections();
  for (const [index, row] of grid.rows.entries()) {
    const width = filledWidth(row);
    const cells = grid.mergedRows[index]!;
    // A title that is merged over several tables is written in the first of them only.
    const isBlank = width === 0 && filledWidth(cells) === 0;
    sections.add(cells, isBlank, grid.firstRow + index, width);
  }
  return sections.end();
}

async function* gridBatches(
  { rows, firstRow, heading }: GridPlace,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const { columns, headerWidth, firstDataRow } = heading;
  const width = columns.length;
  const body = new TableBody(width, finding, singleHeaderRow(heading), heading.layout.titleLines);
  for (let index = firstDataRow; index < rows.length; index++) {
    const row = rows[index]!;
    rows[index] = noCells;
    const cells = Array.from({ length: width }, (_, column) => row[column] ?? null);
    const filled = countFilled(cells);
    const used = filledWidth(row);
    if (used > width) {
      const detail = findingTexts.tooWide(used, headerWidth);
      finding({ kind: 'row_unreadable', row: firstRow + index, detail });
      continue;
    }
    if (used > headerWidth) {
      const detail = findingTexts.wider(used, headerWidth);
      finding({ kind: 'row_wider', row: firstRow + index, detail });
    }
    body.add(cells, filled, firstRow + index);
    if (body.isFull) yield body.takeBatch();
  }
  yield body.endBatch();
}

const noCells: HeadRow = [];
