import sax from 'sax';
import type { FileLimits } from './limits.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { readText } from './text.ts';
import { XmlMender } from './xml-mend.ts';

/** Receives the elements of an XML text, in order. */
export interface XmlVisitor {
  /** `path` has the names from the root, joined by `/`; attributes are as written. */
  open(path: string, attributes: Readonly<Record<string, string>>): void;
  /** `text` is the element's own text; `isLeaf` is true if it has no child element. */
  close(path: string, text: string, isLeaf: boolean): void;
}

/**
 * Walks through an XML text once and repairs it. It yields after each piece of text, so that the caller can pass rows
 * on. Returns the number of repaired tags.
 */
export async function* walkXml(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
  visitor: XmlVisitor,
): AsyncGenerator<void, number> {
  const mender = new XmlMender(limits.recordUnitsMax);
  const parser = openParser(source.name, mender, limits, visitor);
  for await (const text of readText(source, encoding)) {
    parser.write(mender.write(text));
    yield;
  }
  parser.write(mender.end()).close();
  return mender.repairs;
}

interface Element {
  readonly path: string;
  text: string;
  isLeaf: boolean;
}

function openParser(
  source: string,
  mender: XmlMender,
  limits: FileLimits,
  visitor: XmlVisitor,
): sax.SAXParser {
  const parser = sax.parser(true);
  const stack: Element[] = [];
  const openTag = ({ name: tag, attributes }: sax.Tag | sax.QualifiedTag): void => {
    const parent = stack.at(-1);
    if (parent !== undefined) parent.isLeaf = false;
    // Without `xmlns` every attribute is a string.
    const stringAttributes = attributes as Record<string, string>;
    const naming = namingAttribute(tag, parent?.path ?? '', stringAttributes);
    const name = naming === null ? tag : stringAttributes[naming]!;
    const path = `${parent?.path ?? ''}/${mender.originalName(name)}`;
    if (stack.length >= limits.depthMax) {
      throw new FileRefused('not_a_table', treeRefusalTexts.xmlTooDeep(source));
    }
    stack.push({ path, text: '', isLeaf: true });
    const { [naming ?? '']: _, ...others } = stringAttributes;
    visitor.open(path, others);
  };
  const addText = (text: string): void => {
    const element = stack.at(-1);
    if (element === undefined) return;
    element.text += text;
    if (element.text.length > limits.recordUnitsMax) {
      throw new FileRefused(
        'too_large',
        treeRefusalTexts.xmlTextTooLong(source, limits.recordUnitsMax),
      );
    }
  };
  const closeTag = (): void => {
    const element = stack.pop();
    if (element !== undefined) visitor.close(element.path, element.text, element.isLeaf);
  };
  const fail = (error: Error): void => {
    throw xmlRefusal(source, error);
  };
  // The handlers of sax are properties, one of each.
  return Object.assign(parser, {
    onopentag: openTag,
    onclosetag: closeTag,
    ontext: addText,
    oncdata: addText,
    onerror: fail,
  });
}

/**
 * Name of the attribute with a column's name: `<col name="시설명">` of the portal, `<field name="…">` of MySQL,
 * `<column name="…">` of phpMyAdmin, `<Col id="…">` of Nexacro. Null for other elements.
 */
function namingAttribute(
  tag: string,
  parentPath: string,
  attributes: Readonly<Record<string, string>>,
): string | null {
  const isCell = tag === 'col' || (cellTags.test(tag) && rowPaths.test(parentPath));
  if (!isCell) return null;
  return ['name', 'id'].find((each) => attributes[each]?.trim()) ?? null;
}

const cellTags = /^(?:col|column|field)$/iu;
const rowPaths = /\/(?:row|record|table)$/iu;

function xmlRefusal(name: string, error: Error): FileRefused {
  const [reason = '', ...place] = error.message.split('\n').slice(0, 3);
  const options = { cause: error };
  if (/unclosed root tag|unexpected end/iu.test(reason)) {
    return new FileRefused('truncated', treeRefusalTexts.truncated(name), options);
  }
  const detail = `${reason} (${place.join(', ').toLowerCase()})`;
  const line = /^line: (\d+)$/iu.exec(place[0] ?? '')?.[1] ?? null;
  return new FileRefused('damaged', treeRefusalTexts.notXml(name, line, detail), options);
}
