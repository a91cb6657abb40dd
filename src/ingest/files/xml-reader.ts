import sax from 'sax';
import type { FileLimits } from './limits.ts';
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
  name: string,
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
    const { name: columnName, ...others } = attributes as Record<string, string>;
    const isColumn = tag === 'col' && columnName !== undefined;
    const path = `${parent?.path ?? ''}/${mender.originalName(isColumn ? columnName : tag)}`;
    if (stack.length >= limits.depthMax) {
      throw new FileRefused('not_a_table', `${name} is nested too deeply to be a table.`);
    }
    stack.push({ path, text: '', isLeaf: true });
    const all = columnName === undefined ? others : { name: columnName, ...others };
    visitor.open(path, isColumn ? others : all);
  };
  const addText = (text: string): void => {
    const element = stack.at(-1);
    if (element === undefined) return;
    element.text += text;
    if (element.text.length > limits.recordUnitsMax) {
      throw new FileRefused(
        'too_large',
        `${name} has a text longer than ${limits.recordUnitsMax} characters: this is not a table.`,
      );
    }
  };
  const closeTag = (): void => {
    const element = stack.pop();
    if (element !== undefined) visitor.close(element.path, element.text, element.isLeaf);
  };
  const fail = (error: Error): void => {
    throw xmlRefusal(name, error);
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

function xmlRefusal(name: string, error: Error): FileRefused {
  const [reason = '', ...place] = error.message.split('\n').slice(0, 3);
  const options = { cause: error };
  if (/unclosed root tag|unexpected end/iu.test(reason)) {
    return new FileRefused('truncated', `${name} ends in the middle; download it again.`, options);
  }
  const detail = `${reason} (${place.join(', ').toLowerCase()})`;
  return new FileRefused('damaged', `${name} is not XML: ${detail}.`, options);
}
