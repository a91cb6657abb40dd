import { posix } from 'node:path';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { cleanCell } from './sheet-cell.ts';
import type { ByteSource } from './source.ts';
import { attributeOf, elementsOf, itemText, partText, wholePart, copyOfText } from './xlsx-text.ts';

/** Opens a part of a workbook by its path; null if there is none. */
export type PartFinder = (path: string) => ByteSource | null;

/** A workbook without the cells of its sheets. */
export interface Book {
  readonly sheets: readonly BookSheet[];
  readonly epoch1904: boolean;
  /** Texts that cells refer to by their position; null for a blank one. */
  readonly strings: readonly (string | null)[];
  /** Format codes of numbers by the style of a cell. */
  readonly formats: readonly string[];
}

interface BookSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly source: ByteSource;
}

/** Reads all parts of a workbook except its sheets, in the transitional or the strict form of ECMA-376. */
export async function readBook(name: string, find: PartFinder): Promise<Book> {
  const main = find('xl/workbook.xml');
  if (main === null) throw damaged(name);
  const xml = await wholePart(main);
  const relations = find('xl/_rels/workbook.xml.rels');
  const links = relations === null ? '' : await wholePart(relations);
  const targets = new Map(
    elementsOf(links, 'Relationship').map((attributes) => [
      attributeOf(attributes, 'Id'),
      { type: attributeOf(attributes, 'Type') ?? '', path: pathOf(attributes) },
    ]),
  );
  const ofType = (type: string): ByteSource | null => {
    const target = [...targets.values()].find((each) => each.type.endsWith(`/${type}`));
    return target === undefined ? null : find(target.path);
  };
  const sheets = elementsOf(xml, 'sheet').map((attributes, index): BookSheet => {
    const id = /\s(?:\w+:)?id=["']([^"']*)/u.exec(attributes)?.[1] ?? null;
    const path = targets.get(id)?.path ?? `xl/worksheets/sheet${index + 1}.xml`;
    const source = find(path);
    if (source === null) throw damaged(name);
    const state = attributeOf(attributes, 'state') ?? 'visible';
    return { name: attributeOf(attributes, 'name') ?? '', isHidden: state !== 'visible', source };
  });
  const strings = ofType('sharedStrings') ?? find('xl/sharedStrings.xml');
  const styles = ofType('styles') ?? find('xl/styles.xml');
  const [properties = ''] = elementsOf(xml, 'workbookPr');
  return {
    sheets,
    epoch1904: /^(?:1|true|on)$/u.test(attributeOf(properties, 'date1904') ?? ''),
    strings: strings === null ? [] : await readStrings(strings),
    formats: styles === null ? [] : formatsOf(await wholePart(styles)),
  };
}

/** Path of the target of a relation, which is absolute or begins in the folder of the workbook. */
function pathOf(attributes: string): string {
  const target = attributeOf(attributes, 'Target') ?? '';
  return target.startsWith('/') ? target.slice(1) : posix.join('xl', target);
}

/** The refusal of a workbook whose parts do not fit together. */
export function damaged(name: string): FileRefused {
  return new FileRefused('damaged', refusalTexts.notWorkbook(name));
}

async function readStrings(source: ByteSource): Promise<(string | null)[]> {
  const strings: (string | null)[] = [];
  let rest = '';
  for await (const piece of partText(source)) {
    const text = rest + piece;
    let end = 0;
    for (const match of text.matchAll(stringItem)) {
      strings.push(cleanCell(copyOfText(itemText(match[1] ?? ''))));
      end = match.index + match[0].length;
    }
    rest = text.slice(end);
  }
  return strings;
}

const stringItem = /<(?:\w+:)?si(?:\s[^>]*)?(?:\/>|>([^]*?)<\/(?:\w+:)?si>)/gu;

function formatsOf(xml: string): string[] {
  const codes = new Map(
    elementsOf(xml, 'numFmt').map((attributes) => [
      Number(attributeOf(attributes, 'numFmtId')),
      attributeOf(attributes, 'formatCode') ?? '',
    ]),
  );
  const cells = /<(?:\w+:)?cellXfs\b[^]*?<\/(?:\w+:)?cellXfs>/u.exec(xml)?.[0] ?? '';
  return elementsOf(cells, 'xf').map((attributes) => {
    const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
    return codes.get(id) ?? builtInFormat(id);
  });
}

/** Built-in format of a number by its id, as far as it changes the text; 27 to 58 are East Asian formats. */
function builtInFormat(id: number): string {
  if (id === 14 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'm/d/yy';
  if (id >= 32 && id <= 35) return 'h:mm:ss';
  return builtInFormats.get(id) ?? 'General';
}

const builtInFormats: ReadonlyMap<number, string> = new Map([
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
]);
