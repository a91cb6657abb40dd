import type { Field, Row } from '../axis.ts';
import { cellXml, escapeXml } from './cell.ts';
import { zipStream } from './zip-stream.ts';

/** A column of a sheet. */
export interface SheetColumn {
  readonly name: string;
  readonly heading: string;
  readonly type: Field['type'];
}

/** Limit on rows below the heading. Excel reads 1,048,576 rows, the heading included. */
export const sheetRowsMax = 1_048_575;
export const sheetColumnsMax = 16_384;

/**
 * Writes a workbook of one sheet (ECMA-376) as rows arrive: headings in a frozen first row with filters, no formulas.
 * Memory does not grow with the rows.
 */
export function workbook(
  title: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void> {
  return zipStream([
    { name: '[Content_Types].xml', content: [contentTypes] },
    { name: '_rels/.rels', content: [packageParts] },
    { name: 'xl/workbook.xml', content: [workbookXml(title)] },
    { name: 'xl/_rels/workbook.xml.rels', content: [workbookParts] },
    { name: 'xl/styles.xml', content: [styles] },
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml(columns, rows) },
  ]);
}

async function* sheetXml(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void> {
  const letters = columns.map((_, at) => columnLetters(at));
  const headings = columns.map(
    ({ heading }, at) =>
      `<c r="${letters[at]}1" s="${headingStyle}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(heading)}</t></is></c>`,
  );
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns.map(widthXml).join('')}</cols><sheetData><row r="1">${headings.join('')}</row>`;
  let number = 1;
  for await (const block of rows) {
    let xml = '';
    for (const row of block) {
      number++;
      xml += `<row r="${number}">`;
      for (let at = 0; at < columns.length; at++) {
        const { name, type } = columns[at]!;
        const value = row[name] ?? null;
        if (value !== null) xml += cellXml(letters[at]! + String(number), type, value);
      }
      xml += '</row>';
    }
    yield xml;
  }
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${number}"/></worksheet>`;
}

/** Width of a column: room for its heading with the button of its filter, and for most values of its type. */
function widthXml({ heading, type }: SheetColumn, at: number): string {
  const headingWidth = Array.from(heading).reduce(
    (sum, character) => sum + (character > '\u10ff' ? 2 : 1),
    filterButtonWidth,
  );
  const width = Math.min(Math.max(headingWidth, type === 'string' ? 16 : 12), columnWidthMax);
  return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
}

/** Width of a filter button, in digits, like all widths of columns. */
const filterButtonWidth = 4;
const columnWidthMax = 40;

/** Letters of a column by its position: A to Z, AA and so on. */
function columnLetters(position: number): string {
  const last = String.fromCharCode(65 + (position % 26));
  return position < 26 ? last : columnLetters(Math.floor(position / 26) - 1) + last;
}

/** A name that Excel accepts: at most 31 characters, none of `[]:*?/\`, no quote at either end. */
function sheetName(title: string): string {
  const plain = title.replace(/[[\]:*?/\\\p{Cc}]/gu, ' ').slice(0, 31);
  return (
    plain
      .toWellFormed()
      .replaceAll('\ufffd', '')
      .replace(/^'+|'+$/g, '')
      .trim() || 'Sheet1'
  );
}

function workbookXml(title: string): string {
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escapeXml(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes = `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${office}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${office}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${office}.styles+xml"/></Types>`;

const packageParts = `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookParts = `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;

const headingStyle = 4;

/** Styles by position: general, text, date, date and time, heading, number with separators of thousands. */
const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;
