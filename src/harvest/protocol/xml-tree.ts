import { portalLimits } from '../client/limits.ts';

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
  return new Reader(text).read();
}

interface Element {
  /** As it closes. */
  readonly name: string;
  /** Its name in the tree. */
  readonly key: string;
  readonly children: Record<string, Tree | Tree[]>;
  hasChildren: boolean;
  text: string;
}

/** Goes from one `<` to the next: a general parser looks at every character, and takes five times as long. */
class Reader {
  readonly #text: string;
  readonly #open: Element[] = [newElement('', '')];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): TreeNode {
    const text = this.#text;
    for (let tag = text.indexOf('<'); tag >= 0; tag = text.indexOf('<', this.#at)) {
      this.#addText(text.slice(this.#at, tag));
      this.#at = tag;
      const mark = text[tag + 1];
      if (mark === '/') this.#close();
      else if (mark === '!') this.#declaration();
      else if (mark === '?') this.#skip('?>');
      else this.#start();
    }
    this.#addText(text.slice(this.#at));
    const [root] = this.#open;
    if (this.#open.length > 1) throw new Error('the document is cut off');
    return root!.children;
  }

  #start(): void {
    const text = this.#text;
    const end = text.indexOf('>', this.#at);
    const name = text.slice(this.#at + 1, end);
    if (end < 0 || !isName(name)) return this.#startWithMore();
    this.#at = end + 1;
    const next = text.indexOf('<', end);
    const after = next + 2 + name.length;
    // Nearly every element is `<name>text</name>`.
    if (next >= 0 && text.startsWith(`/${name}>`, next + 1)) {
      this.#admit();
      addChild(this.#top(), name, blankless(decoded(text.slice(end + 1, next))));
      this.#at = after + 1;
      return;
    }
    this.#push(name, name);
  }

  /** A tag with attributes, or one that closes itself. */
  #startWithMore(): void {
    startTag.lastIndex = this.#at;
    const found = startTag.exec(this.#text);
    const [whole = '', name = '', attributes = '', closes] = found ?? [];
    if (found === null || !isName(name)) throw new Error('a tag is broken');
    this.#at += whole.length;
    // `<col name="시도명">` is how the file API writes a column.
    const column = name === 'col' ? nameAttribute.exec(attributes) : null;
    this.#push(name, decoded(column?.[1] ?? column?.[2] ?? name));
    if (closes === '/') this.#pop();
  }

  #push(name: string, key: string): void {
    this.#admit();
    this.#open.push(newElement(name, key));
  }

  /** Throws where no element may begin. */
  #admit(): void {
    const depth = this.#open.length;
    if (depth > portalLimits.xmlDepthMax) {
      throw new Error(`more than ${portalLimits.xmlDepthMax} elements inside one another`);
    }
    if (depth === 1 && this.#top().hasChildren) throw new Error('a second root');
  }

  #close(): void {
    const end = this.#text.indexOf('>', this.#at);
    const name = this.#text.slice(this.#at + 2, end).trimEnd();
    if (end < 0 || this.#open.length === 1 || this.#top().name !== name) {
      throw new Error('an element is closed that is not open');
    }
    this.#at = end + 1;
    this.#pop();
  }

  #pop(): void {
    const element = this.#open.pop()!;
    const value = element.hasChildren ? element.children : blankless(element.text);
    addChild(this.#top(), element.key, value);
  }

  #declaration(): void {
    const text = this.#text;
    if (text.startsWith('<![CDATA[', this.#at)) {
      const from = this.#at + '<![CDATA['.length;
      this.#skip(']]>');
      if (this.#open.length === 1) throw new Error('text outside the root');
      this.#top().text += text.slice(from, this.#at - ']]>'.length);
    } else if (text.startsWith('<!--', this.#at)) {
      this.#at += '<!--'.length;
      this.#skip('-->');
    } else {
      const end = text.indexOf('>', this.#at);
      this.#skip(text.slice(this.#at, end).includes('[') ? ']>' : '>');
    }
  }

  #skip(to: string): void {
    const end = this.#text.indexOf(to, this.#at);
    if (end < 0) throw new Error('the document is cut off');
    this.#at = end + to.length;
  }

  #addText(piece: string): void {
    if (piece === '') return;
    if (this.#open.length > 1) this.#top().text += decoded(piece);
    else if (piece.trim() !== '') throw new Error('text outside the root');
  }

  #top(): Element {
    return this.#open.at(-1)!;
  }
}

const startTag = /<([^\s<>/="'&]+)((?:\s+[^\s<>/="'&]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const nameAttribute = /\sname\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const nameShape = /^[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*$/u;

/** Names repeat a thousand times a page; those seen are not looked at again. */
const names = new Set<string>();
const namesMax = 10_000;
const nameLengthMax = 100;

function isName(text: string): boolean {
  if (names.has(text)) return true;
  if (!nameShape.test(text)) return false;
  if (names.size < namesMax && text.length <= nameLengthMax) names.add(text);
  return true;
}

function newElement(name: string, key: string): Element {
  // Without a prototype an element may have any name.
  const children = Object.create(null) as Element['children'];
  return { name, key, children, hasChildren: false, text: '' };
}

function addChild(above: Element, name: string, value: Tree): void {
  const before = above.children[name];
  if (before === undefined) above.children[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else above.children[name] = [before, value];
  above.hasChildren = true;
}

/** Line breaks and indents of an empty element are no value. */
function blankless(text: string): string {
  return text.trim() === '' ? '' : text;
}

/** An ampersand in a web address is kept as written, and so is an entity that XML itself does not know. */
function decoded(text: string): string {
  return text.includes('&') ? text.replace(entity, replacement) : text;
}

const entity = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function replacement(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name] ?? whole;
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isCharacter = point > 0 && point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : whole;
}
