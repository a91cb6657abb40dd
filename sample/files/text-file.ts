import iconv from 'iconv-lite';

/** All rows of a file, the header included. Rows may differ in length. */
export type Cells = readonly (readonly (string | number)[])[];

interface TextStyle {
  readonly encoding: 'cp949' | 'utf8' | 'utf8-bom' | 'utf16le-bom';
  readonly newline: '\r\n' | '\n' | '\r';
  readonly separator: ',' | '\t';
}

/** The format of most published files. */
export const cp949Style: TextStyle = { encoding: 'cp949', newline: '\r\n', separator: ',' };
export const utf8BomStyle: TextStyle = { encoding: 'utf8-bom', newline: '\r\n', separator: ',' };

export function textFile(cells: Cells, style: TextStyle): Buffer {
  const lines = cells.map((row) =>
    row.map((cell) => quoteCell(String(cell), style.separator)).join(style.separator),
  );
  return encodeText(lines.map((line) => line + style.newline).join(''), style.encoding);
}

export function encodeText(text: string, encoding: TextStyle['encoding']): Buffer {
  if (encoding === 'cp949') return iconv.encode(text, 'cp949');
  if (encoding === 'utf16le-bom') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  return Buffer.from(encoding === 'utf8-bom' ? `\uFEFF${text}` : text);
}

function quoteCell(cell: string, separator: string): string {
  return cell.includes('"') || cell.includes(separator) || /[\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
