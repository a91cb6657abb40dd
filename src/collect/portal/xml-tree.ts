// oxlint-disable unicorn/prefer-add-event-listener -- A sax parser is no event target.
import sax from 'sax';
import { portalLimits } from './limits.ts';

/** XML as the JSON of the same answer would be: an element is an object, a repeated one an array. */
export type Tree = string | TreeNode | readonly Tree[];
export interface TreeNode {
  readonly [name: string]: Tree;
}

/**
 * Reads an answer's XML, its root as the only key. All values are strings, CDATA included; document
 * types are not read, so nothing can expand. Throws where the document is broken or cut off.
 */
export function xmlTree(text: string): TreeNode {
  const parser = sax.parser(true, { position: false });
  const root = newElement('');
  const open = [root];
  parser.onopentag = ({ name, attributes }) => {
    if (open.length > portalLimits.xmlDepthMax) {
      throw new Error(`more than ${portalLimits.xmlDepthMax} elements inside one another`);
    }
    // `<col name="시도명">` is how the file API writes a column.
    const named = name === 'col' ? attributes['name'] : undefined;
    open.push(newElement(typeof named === 'string' ? named : name));
  };
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const element = open.pop();
    const above = open.at(-1);
    if (element !== undefined && above !== undefined) addChild(above, element);
  };
  parser.onerror = (error) => {
    // An ampersand in a web address is kept as written; anything else is a broken document.
    if (!/^Invalid character(?: in)? entity/.test(error.message)) throw error;
    parser.resume();
  };
  parser.write(text).close();
  return root.children;
}

interface Element {
  readonly name: string;
  readonly children: Record<string, Tree | Tree[]>;
  hasChildren: boolean;
  text: string;
}

function newElement(name: string): Element {
  // Without a prototype an element may have any name.
  const children = Object.create(null) as Element['children'];
  return { name, children, hasChildren: false, text: '' };
}

function addChild(above: Element, element: Element): void {
  const value = element.hasChildren ? element.children : blankless(element.text);
  const before = above.children[element.name];
  if (before === undefined) above.children[element.name] = value;
  else if (Array.isArray(before)) before.push(value);
  else above.children[element.name] = [before, value];
  above.hasChildren = true;
}

/** Line breaks and indents of an empty element are no value. */
function blankless(text: string): string {
  return text.trim() === '' ? '' : text;
}
