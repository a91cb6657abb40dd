import type { Range } from '@e965/xlsx';
import { cleanCell, isAddress, isoText, isScaled, numberText, scaledNumber } from './sheet-cell.ts';
import { fillCell, sheetRowsMax, type SheetCells, type CellText } from './sheet-grid.ts';
import type { ByteSource } from './source.ts';
import type { Cell } from './table.ts';
import { damaged, type Book } from './xlsx-book.ts';
import { attributeOf, itemText, partText, unescaped, copyOfText } from './xlsx-text.ts';

/**
 * Reads the cells of a worksheet while its XML is inflated, so that the XML is never in memory as a whole. Null if a
 * cell is beyond the limits of a sheet.
 */
export async function readSheet(
  source: ByteSource,
  book: Book,
  columnsMax: number,
): Promise<SheetCells | null> {
  const reader = new SheetReader(source.name, book, columnsMax);
  for await (const piece of partText(source)) {
    reader.write(piece);
    if (reader.isTooLarge) return null;
  }
  return reader;
}

class SheetReader implements SheetCells {
  readonly rows: Cell[][] = [];
  readonly merges: Range[] = [];
  readonly errors: CellText[] = [];
  scaled: SheetCells['scaled'] = null;
  isTooLarge = false;
  readonly #name: string;
  readonly #book: Book;
  readonly #columnsMax: number;
  readonly #linkPlaces: string[] = [];
  /** Styles whose numbers are shown in thousands or millions. */
  readonly #scaledStyles: ReadonlySet<number>;
  /** Beginning of a tag or a cell that goes on in the next piece. */
  #rest = '';
  #row = -1;
  #column = -1;

  constructor(name: string, book: Book, columnsMax: number) {
    this.#name = name;
    this.#book = book;
    this.#columnsMax = columnsMax;
    const styles = [...book.formats.keys()];
    this.#scaledStyles = new Set(styles.filter((style) => isScaled(book.formats[style]!)));
  }

  get links(): readonly CellText[] {
    return this.#linkPlaces.flatMap((place) => {
      const { row, column } = positionOf(place);
      const text = this.rows[row]?.[column];
      const isLink = typeof text === 'string' && !isAddress(text);
      return isLink ? [{ row: row + 1, column: column + 1, text }] : [];
    });
  }

  write(piece: string): void {
    const text = this.#rest + piece;
    let end = 0;
    for (const match of text.matchAll(sheetElement)) {
      const [element, row, cell, content, merge, link] = match;
      end = match.index + element.length;
      if (cell !== undefined) this.#addCell(cell, content ?? '');
      else if (row !== undefined) this.#beginRow(row);
      else if (merge !== undefined) this.#addMerge(merge);
      else if (link !== undefined) this.#addLink(link);
    }
    const begun = openElement.exec(text.slice(end));
    this.#rest = begun === null ? '' : text.slice(end + begun.index);
    if (this.#rest.length > cellLengthMax) throw damaged(this.#name);
  }

  #beginRow(attributes: string): void {
    const number = attributeOf(attributes, 'r');
    this.#row = number === null ? this.#row + 1 : Number(number) - 1;
    this.#column = -1;
    if (!(this.#row >= 0 && this.#row < sheetRowsMax)) this.isTooLarge = true;
  }

  #addCell(attributes: string, content: string): void {
    const place = attributeOf(attributes, 'r');
    if (place === null) this.#column += 1;
    else {
      const { row, column } = positionOf(place);
      this.#column = column;
      this.#row = row;
    }
    if (content === '' || this.isTooLarge) return;
    const text = this.#textOf(attributes, content);
    if (text === null) return;
    this.isTooLarge =
      this.#column >= this.#columnsMax || !(this.#row >= 0 && this.#row < sheetRowsMax);
    if (this.isTooLarge) return;
    while (this.rows.length <= this.#row) this.rows.push([]);
    fillCell(this.rows[this.#row]!, this.#column, text);
  }

  #textOf(attributes: string, content: string): string | null {
    const type = attributeOf(attributes, 't') ?? 'n';
    const value = type === 'inlineStr' ? content : (cellValue.exec(content)?.[1] ?? '');
    if (value === '') return null;
    if (type !== 's') return cleanCell(copyOfText(this.#ownText(type, value, attributes)));
    const text = this.#book.strings[Number(value)];
    if (text === undefined) throw damaged(this.#name);
    return text;
  }

  /** Text of a cell that does not refer to the texts of the workbook. */
  #ownText(type: string, value: string, attributes: string): string {
    switch (type) {
      case 'n': {
        const style = Number(attributeOf(attributes, 's') ?? 0);
        const format = this.#book.formats[style] ?? 'General';
        if (this.scaled === null && this.#scaledStyles.has(style)) {
          this.scaled = scaledNumber(this.#row, this.#column, value, format);
        }
        return numberText(value.trim(), format, this.#book.epoch1904);
      }
      case 'inlineStr':
        return itemText(value);
      case 'd':
        return isoText(value.trim());
      case 'b':
        return /^\s*(?:1|true)\s*$/u.test(value) ? 'TRUE' : 'FALSE';
      case 'e':
        this.errors.push({ row: this.#row + 1, column: this.#column + 1, text: value });
        return value;
      default:
        return unescaped(value);
    }
  }

  /** Adds a link to another file; one to a place in the workbook has no relation. */
  #addLink(attributes: string): void {
    const place = attributeOf(attributes, 'ref') ?? '';
    if (/\sr?:?id=/u.test(attributes) && this.#linkPlaces.length < linksMax)
      this.#linkPlaces.push(place);
  }

  #addMerge(attributes: string): void {
    const [first = '', last = first] = (attributeOf(attributes, 'ref') ?? '').split(':');
    const [s, e] = [positionOf(first), positionOf(last)];
    if (s.row < 0 || e.column >= this.#columnsMax) return;
    this.merges.push({ s: { r: s.row, c: s.column }, e: { r: e.row, c: e.column } });
  }
}

/** Excel allows 65,530 links in a sheet. */
const linksMax = 65_530;
/** Matches the beginning of a row, a whole cell, a merged range, and a link, whatever the prefix of their names. */
const sheetElement =
  /<(?:\w+:)?(?:row((?:\s[^>]*)?)>|c((?:\s[^>]*?)?)(?:\/>|>([^]*?)<\/(?:\w+:)?c>)|mergeCell(\s[^>]*)>|hyperlink(\s[^>]*)>)/gu;
const openElement = /<(?:\w+:)?c(?:\s[^]*)?$|<(?:\w+:)?c>[^]*$|<[^>]*$/u;
const cellValue = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</u;
/** Limit on the XML of one cell; Excel allows 32,767 characters, some programs more. */
const cellLengthMax = 4 * 1024 ** 2;

/** Position of a cell such as `AB12`; the column is -1 without letters, the row without a number. */
function positionOf(name: string): { row: number; column: number } {
  let column = 0;
  let at = 0;
  for (; at < name.length; at++) {
    const letter = name.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return { row: Number(name.slice(at)) - 1, column: column - 1 };
}
