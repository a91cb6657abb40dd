import { bracketsPattern, type Word } from './syntax.ts';
import { whereProblem } from './refusal.ts';

/** An item of a list of names such as `-field, "odd, name", sum(x)`. */
export interface ListItem {
  /** A name without its quotes, or the argument of the function; empty for `count`. */
  readonly name: Word;
  /** In lower case; null for a name alone. */
  readonly function: string | null;
  readonly isDescending: boolean;
}

interface ListOptions {
  readonly parameter: string;
  readonly itemsMax: number;
  /** Names of functions that the list may have. */
  readonly functions?: readonly string[];
  /** A `-` in front of an item means descending. */
  readonly isSort?: true;
}

/** Reads a list of names between commas. A name in double quotes may have any character. Throws 400. */
export function parseList(text: string, options: ListOptions): ListItem[] {
  const { parameter, itemsMax, functions = [], isSort } = options;
  const items: ListItem[] = [];
  for (const { text: given, position } of itemsOf(text, parameter)) {
    if (items.length === itemsMax)
      throw whereProblem(parameter, { position, reason: tooMany(itemsMax) });
    const isDescending = isSort === true && given.startsWith('-');
    const isSigned = isDescending || (isSort === true && given.startsWith('+'));
    const word = wordAt(isSigned ? given.slice(1) : given, position + (isSigned ? 1 : 0));
    items.push({ ...calledFunction(word, functions), isDescending });
  }
  return items;
}

/** The name, or the function and its argument, that a text means. */
export function calledFunction(
  { text, position }: Word,
  functions: readonly string[],
): Omit<ListItem, 'isDescending'> {
  const [, called = '', argument = ''] = /^(\p{L}+)\s*\((.*)\)$/su.exec(text) ?? [];
  const known = called.toLowerCase();
  if (functions.includes(known)) {
    const word = wordAt(argument, position + text.indexOf('(') + 1);
    return { function: known, name: unquoted(word) };
  }
  if (functions.includes(text.toLowerCase())) {
    return { function: text.toLowerCase(), name: { text: '', position } };
  }
  return { function: null, name: unquoted({ text, position }) };
}

/** Items between the commas outside of quotes and brackets, with the place of each. */
function* itemsOf(text: string, parameter: string): Generator<Word> {
  const pattern = new RegExp(`(?:"[^"]*"|${bracketsPattern}|[^,"])*`, 'y');
  for (let at = 0; at <= text.length;) {
    pattern.lastIndex = at;
    const given = pattern.exec(text)?.[0] ?? '';
    const next = at + given.length;
    const word = wordAt(given, at);
    if (word.text === '' || (next < text.length && text[next] !== ',')) {
      const isQuote = text[next] === '"';
      throw whereProblem(parameter, {
        position: isQuote ? next : word.position,
        reason: isQuote ? openQuote : missing,
        expected: [isQuote ? '"' : 'field'],
      });
    }
    yield word;
    at = next + 1;
  }
}

function wordAt(text: string, position: number): Word {
  const trimmed = text.trimStart();
  return { text: trimmed.trimEnd(), position: position + text.length - trimmed.length };
}

function unquoted({ text, position }: Word): Word {
  const isQuoted = /^"(?:[^"]|"")*"$/.test(text);
  return { text: isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text, position };
}

function tooMany(itemsMax: number): { readonly ko: string; readonly en: string } {
  return {
    ko: `${itemsMax}개까지 쓸 수 있습니다.`,
    en: `Up to ${itemsMax} may be given.`,
  };
}

const missing = { ko: '필드 이름이 없습니다.', en: 'A field name is missing.' };
const openQuote = { ko: '닫는 큰따옴표가 없습니다.', en: 'The closing double quote is missing.' };
