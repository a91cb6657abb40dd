import { findingTexts } from './finding-texts.ts';
import { withoutPadding } from './padding.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Removes the HTML escapes that a source put into the texts of a JSON or XML table, although the format does not need
 * them. `finding` receives what is found in rows.
 */
export function withoutEscapes(table: Table, finding: FindingSink): Table {
  if (table.format !== 'json' && table.format !== 'xml') return table;
  return { ...table, batches: unescapedBatches(table.batches, finding) };
}

async function* unescapedBatches(
  batches: AsyncIterable<Batch>,
  finding: FindingSink,
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    const rows = batch.rows.map((cells, index) => {
      const unescaped = cells.map(unescapeCell);
      if (cells.every((cell, at) => cell === unescaped[at])) return cells;
      const detail = findingTexts.escapesRemoved();
      finding({ kind: 'escapes_removed', row: batch.sourceRows[index] ?? null, detail });
      return unescaped;
    });
    yield { ...batch, rows };
  }
}

/** Unescapes a text. A list or an object in JSON stays as it is, because its quotes may be escaped. */
function unescapeCell(cell: Cell): Cell {
  if (typeof cell !== 'string' || !cell.includes('&') || /^[[{]/.test(cell)) return cell;
  return withoutPadding(unescapeHtml(cell)) || null;
}

/** Removes one layer of HTML escapes; unknown escapes stay as written. */
export function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,6}));/g, replacement);
}

function replacement(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return namedEscapes[name] ?? whole;
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  // Surrogates and code points past the last are not characters.
  const isCharacter = point > 0 && point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : whole;
}

const namedEscapes: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
};
