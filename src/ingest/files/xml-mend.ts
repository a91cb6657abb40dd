import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';

/**
 * Repairs the XML of the portal piece by piece: element names with brackets (`<자료수(도서)>`) or a leading digit, empty
 * elements written as `<이름><이름/>`, unescaped `&` and `<`. Document types are removed, so that no entity is expanded.
 */
export class XmlMender {
  /** Number of repaired tags. */
  repairs = 0;
  readonly #unitsMax: number;
  readonly #originals = new Map<string, string>();
  #rest = '';
  #lastOpen: string | null = null;

  constructor(unitsMax: number) {
    this.#unitsMax = unitsMax;
  }

  /** The mended text up to the last markup that is complete. */
  write(text: string): string {
    return this.#mend(this.#rest + text, false);
  }

  end(): string {
    return this.#mend(this.#rest, true);
  }

  /** An element's name as the source wrote it. */
  originalName(name: string): string {
    return this.#originals.get(name) ?? name;
  }

  #mend(text: string, isFinal: boolean): string {
    let mended = '';
    let position = 0;
    for (;;) {
      const open = text.indexOf('<', position);
      const textEnd = open < 0 ? (isFinal ? text.length : this.#textEnd(text, position)) : open;
      mended += this.#mendText(text.slice(position, textEnd));
      position = textEnd;
      if (open < 0) break;
      const end = markupEnd(text, position, isFinal);
      if (end < 0) break;
      mended += this.#mendMarkup(text.slice(position, end));
      position = end;
    }
    this.#rest = text.slice(position);
    if (this.#rest.length > this.#unitsMax) {
      throw new FileRefused('too_large', treeRefusalTexts.xmlTagTooLong(this.#unitsMax));
    }
    return mended;
  }

  /** End of the complete text; an entity must not be split. */
  #textEnd(text: string, position: number): number {
    const ampersand = text.lastIndexOf('&');
    return ampersand >= position && text.length - ampersand < 12 ? ampersand : text.length;
  }

  #mendText(text: string): string {
    if (text === '') return '';
    if (this.#lastOpen !== null && text.trim() !== '') this.#lastOpen = null;
    return text.includes('&') ? text.replace(bareAmpersand, '&amp;') : text;
  }

  #mendMarkup(markup: string): string {
    if (markup.startsWith('<!DOCTYPE')) return '';
    if (markup.startsWith('<?') || markup.startsWith('<!')) {
      this.#lastOpen = null;
      return markup;
    }
    const tag = tagPattern.exec(markup);
    if (tag === null) {
      this.repairs += 1;
      return `&lt;${markup.slice(1)}`;
    }
    const [, slash = '', name = '', attributes = '', empty = ''] = tag;
    const validName = this.#mendName(name);
    if (empty === '/' && attributes.trim() === '' && this.#lastOpen === name) {
      this.repairs += 1;
      this.#lastOpen = null;
      return `</${validName}>`;
    }
    this.#lastOpen = slash === '' && empty === '' ? name : null;
    return `<${slash}${validName}${attributes.replace(bareAmpersand, '&amp;')}${empty}>`;
  }

  #mendName(name: string): string {
    const validName = name
      .replace(/[!-,./;-@[-^`{-~]/gu, fullWidth)
      .replace(/^[\d\-·]/u, fullWidth);
    if (validName !== name) {
      this.repairs += 1;
      this.#originals.set(validName, name);
    }
    return validName;
  }
}

/** Full-width form of an ASCII character: XML allows it in names, and the portal's names never have it. */
function fullWidth(character: string): string {
  return String.fromCharCode(0xff00 + character.charCodeAt(0) - 0x20);
}

/** End of the markup at `position`; negative if more text is needed. A bare `<` ends after itself. */
function markupEnd(text: string, position: number, isFinal: boolean): number {
  if (text.length - position < 9 && !isFinal) return -1;
  for (const [start, stop] of sections) {
    if (!text.startsWith(start, position)) continue;
    const end = text.indexOf(stop, position + start.length);
    return end < 0 ? -1 : end + stop.length;
  }
  if (text.startsWith('<!DOCTYPE', position)) return doctypeEnd(text, position);
  if (!/[^\s<>=]/u.test(text.charAt(position + 1))) return position + 1;
  let quote = '';
  for (let end = position + 1; end < text.length; end++) {
    const character = text.charAt(end);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return end + 1;
    else if (character === '<') return position + 1;
    else if (isQuote(character) && text.charAt(end - 1) === '=') quote = character;
  }
  return isFinal ? position + 1 : -1;
}

function doctypeEnd(text: string, position: number): number {
  let depth = 0;
  for (let end = position; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    else if (character === '>' && depth === 0) return end + 1;
  }
  return -1;
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

const sections: readonly (readonly [start: string, stop: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];
const tagPattern = /^<(\/?)([^\s<>/=][^\s<>/]*)((?:\s[^]*?)?)(\/?)>$/u;
/** Matches an `&` that does not begin an XML entity or a character number; `&nbsp;` stays as text. */
const bareAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/giu;
