import iconv from 'iconv-lite';

/** Rows as they stand in a file, the header among them: not every row need be as long as the others. */
export type Cells = readonly (readonly (string | number)[])[];

interface TextStyle {
  readonly encoding: 'cp949' | 'utf8' | 'utf8-bom' | 'utf16le-bom';
  readonly newline: '\r\n' | '\n' | '\r';
  readonly separator: ',' | '\t';
}

/** As most offices save it. */
export const cp949Style: TextStyle = { encoding: 'cp949', newline: '\r\n', separator: ',' };
export const utf8BomStyle: TextStyle = { encoding: 'utf8-bom', newline: '\r\n', separator: ',' };

export function textFile(cells: Cells, style: TextStyle): Buffer {
  const lines = cells.map((row) =>
    row.map((cell) => quoted(String(cell), style.separator)).join(style.separator),
  );
  return encoded(lines.map((line) => line + style.newline).join(''), style.encoding);
}

export function encoded(text: string, encoding: TextStyle['encoding']): Buffer {
  if (encoding === 'cp949') return iconv.encode(text, 'cp949');
  if (encoding === 'utf16le-bom') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  return Buffer.from(encoding === 'utf8-bom' ? `\uFEFF${text}` : text);
}

function quoted(cell: string, separator: string): string {
  return cell.includes('"') || cell.includes(separator) || /[\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
