import { portalLimits } from '../client/limits.ts';
import { unescapeHtml } from '../../ingest/files/html-escapes.ts';

/** XML in the shape of JSON: an element is an object, a repeated element an array. */
export type Tree = string | TreeNode | readonly Tree[];
interface TreeNode {
  readonly [name: string]: Tree;
}

/**
 * Reads an answer's XML into a tree with the root as its only key. All values are strings, and names have no namespace
 * prefix. Document types are ignored, so no entity can expand. Throws for a broken or cut document.
 */
export function xmlTree(text: string): TreeNode {
  const root = newElement('', '');
  const open = [root];
  for (let offset = 0; offset < text.length; offset = token.lastIndex) {
    token.lastIndex = offset;
    const [, leaf, value = '', end, start, attributes = '', isEmpty, cdata, chars] =
      token.exec(text) ?? refuse('a tag is broken or cut off');
    const parent = open.at(-1)!;
    if (leaf !== undefined || start !== undefined) {
      if (open.length > portalLimits.xmlDepthMax) refuse('elements are nested too deeply');
      if (open.length === 1 && root.hasChildren) refuse('the document has a second root');
    }
    if (leaf !== undefined) addChild(parent, localName(leaf), valueOf(decodeEntities(value)));
    else if (start !== undefined) {
      // The file API writes a column as `<col name="시도명">`.
      const column = start === 'col' ? nameAttribute.exec(attributes)?.[2] : undefined;
      const element = newElement(
        start,
        column === undefined ? localName(start) : decodeEntities(column),
      );
      if (isEmpty === '/')
        addChild(parent, element.key, isRecord(start) ? members(attributes) : '');
      else open.push(element);
    } else if (end !== undefined) {
      if (open.pop()!.name !== end || open.length === 0) refuse('a tag closes another element');
      const { key, children, hasChildren, text: ownText } = parent;
      addChild(open.at(-1)!, key, hasChildren ? children : valueOf(ownText));
    } else if (cdata !== undefined) parent.text += cdata;
    else if (chars !== undefined) parent.text += decodeEntities(chars);
    if (root.text.trim() !== '') refuse('the document has text outside the root');
    root.text = '';
  }
  return open.length === 1 ? root.children : refuse('the document is cut off');
}

/** Matches a whole leaf, an end tag, a start tag, CDATA, a comment, an instruction, a document type, or text. */
const token =
  /<([^\s<>/="'&!?\d.-][^\s<>/="'&]*)>([^<]*)<\/\1\s*>|<\/([^\s<>]+)\s*>|<([^\s<>/="'&!?\d.-][^\s<>/="'&]*)((?:\s+[^\s<>/="'&]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<![A-Z][^[>]*(?:\[[^]*?\]\s*)?>|([^<]+)/y;
/** True for the name of a record, whose values may be attributes: `<row name="가람"/>`. */
function isRecord(name: string): boolean {
  return /^(?:.*:)?(?:item|row)$/i.test(name);
}

function members(attributes: string): Tree {
  const all = Array.from(attributes.matchAll(attribute), ([, name, , value]) => [
    name!,
    decodeEntities(value!),
  ]);
  return all.length === 0 ? '' : (Object.fromEntries(all) as TreeNode);
}

const attribute = /([^\s=]+)\s*=\s*(["'])(.*?)\2/gs;
const nameAttribute = /\sname\s*=\s*(["'])(.*?)\1/;

interface Element {
  /** Name in the tags. */
  readonly name: string;
  /** Name in the tree. */
  readonly key: string;
  readonly children: Record<string, Tree | Tree[]>;
  hasChildren: boolean;
  text: string;
}

function newElement(name: string, key: string): Element {
  // Without a prototype an element may have any name.
  const children = Object.create(null) as Element['children'];
  return { name, key, children, hasChildren: false, text: '' };
}

function addChild(parent: Element, name: string, value: Tree): void {
  const previous = parent.children[name];
  if (previous === undefined) parent.children[name] = value;
  else if (Array.isArray(previous)) previous.push(value);
  else parent.children[name] = [previous, value];
  parent.hasChildren = true;
}

/** Name without the prefix of a namespace: some services write `ns2:response`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Empties a text of white space alone: the line breaks and indents of an empty element. */
function valueOf(text: string): string {
  return text.trim() === '' ? '' : text;
}

/** Decodes the entities of XML itself; other entities and bare ampersands, as in a web address, stay. */
function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(entity, unescapeHtml) : text;
}

const entity = /&(?:#\d{1,7}|#x[\da-fA-F]{1,6}|amp|lt|gt|quot|apos);/g;

function refuse(reason: string): never {
  throw new Error(reason);
}
