import { findingTexts } from './finding-texts.ts';
import { hasMisreadLetter, MisreadSample, restorerOf, type Misreading } from './misread-text.ts';
import type { SheetCells } from './sheet-grid.ts';
import { cleanCell } from './sheet-cell.ts';
import type { Cell, FindingSink } from './table.ts';

/**
 * Restores Korean in the cells of a sheet that a program read in a wrong encoding before it wrote the workbook. Reports
 * the misreading once, and each cell that has lost characters and stays as it is.
 */
export function restoreCells({ rows }: SheetCells, finding: FindingSink): void {
  const misreading = findMisreading(rows);
  if (misreading === null) return;
  finding({ kind: 'mojibake', row: null, detail: findingTexts.misread(misreading) });
  const restore = restorerOf(misreading);
  const isUtf8 = misreading.encoding === 'utf-8';
  for (const [index, row] of rows.entries()) {
    const texts = restore(row.map(textOf).join(cellEnd)).split(cellEnd);
    for (const [column, cell] of row.entries()) {
      if (typeof cell !== 'string') continue;
      const text = isUtf8 ? withLastByte(texts[column]!, restore) : texts[column]!;
      if (text !== cell) row[column] = cleanCell(text);
      else if (hasMisreadLetter(cell)) {
        const detail = findingTexts.characterUnreadable(column + 1, cell.slice(0, 80));
        finding({ kind: 'character_unreadable', row: index + 1, detail });
      }
    }
  }
}

function findMisreading(rows: SheetCells['rows']): Misreading | null {
  const sample = new MisreadSample();
  let unitsLeft = sampleUnitsMax;
  for (const row of rows) {
    if (unitsLeft < 0) break;
    if (!row.some(hasMisreadLetter)) continue;
    const text = row.map(textOf).join(cellEnd);
    sample.addText(text);
    unitsLeft -= text.length;
  }
  return sample.misreading;
}

/** Separator of joined cells: a misread text has no control character of ASCII. */
const cellEnd = '\u001f';
const sampleUnitsMax = 256 * 1024;

function textOf(cell: Cell): string {
  return cell === null ? '' : String(cell);
}

/** Restores a text whose last byte was trimmed as white space: 선 is `ì„` and a no-break space. */
function withLastByte(text: string, restore: (text: string) => string): string {
  if (!hasMisreadLetter(text)) return text;
  const whole = restore(`${text}\u00a0`);
  return whole.endsWith('\u00a0') ? text : whole;
}
