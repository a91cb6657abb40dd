import { StringDecoder } from 'node:string_decoder';
import type { ByteSource } from './source.ts';

/** The text of a part of a workbook, in pieces; it is UTF-8, or UTF-16 with a byte order mark. */
export async function* partText(source: ByteSource): AsyncIterable<string> {
  let decoder: StringDecoder | null = null;
  for await (const bytes of source.open()) {
    decoder ??= new StringDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
    yield decoder.write(bytes);
  }
  const rest = decoder?.end() ?? '';
  if (rest !== '') yield rest;
}

/** The whole text of a small part. */
export async function wholePart(source: ByteSource): Promise<string> {
  let text = '';
  for await (const piece of partText(source)) text += piece;
  return text;
}

/** Value of an attribute among those of a tag; null if it has none. */
export function attributeOf(attributes: string, name: string): string | null {
  const start = attributes.indexOf(`${name}=`);
  if (start < 0) return null;
  // Another name may end like this one.
  const before = attributes.charCodeAt(start - 1);
  const from = start + name.length + 1;
  const end = attributes.indexOf(attributes[from]!, from + 1);
  if (start > 0 && before > 0x20) return attributeOf(attributes.slice(end + 1), name);
  return end < 0 ? null : unescaped(attributes.slice(from + 1, end));
}

/** The attributes of all elements with a name, whatever its prefix. */
export function elementsOf(xml: string, name: string): string[] {
  const tags = xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*?)?/?>`, 'gu'));
  return Array.from(tags, ([, attributes = '']) => attributes);
}

/** Text of a string item: its runs in order, without the readings above them. */
export function itemText(xml: string): string {
  const runs = xml.includes('rPh') ? xml.replace(readings, '') : xml;
  let text = '';
  for (const [, run = ''] of runs.matchAll(textElement)) text += run;
  return unescaped(text);
}

const readings = /<(?:\w+:)?rPh\b[^]*?<\/(?:\w+:)?rPh>/gu;
const textElement = /<(?:\w+:)?t(?:\s[^>]*)?>([^]*?)<\/(?:\w+:)?t>/gu;

/** A copy of a text that was cut out of a piece of XML; V8 would keep the whole piece in memory for it. */
export function copyOfText(text: string): string {
  return text.length < viewLengthMin ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** V8 copies shorter cuts itself. */
const viewLengthMin = 13;

/** A text of XML without its escapes, and without those of control characters (`_x000D_`). */
export function unescaped(xml: string): string {
  const plain = xml.includes('&') || xml.includes('<!') ? withoutEntities(xml) : xml;
  const text = plain.includes('_x')
    ? plain.replace(/_x([\da-f]{4})_/giu, (_, code: string) => character(code, 16))
    : plain;
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

function withoutEntities(xml: string): string {
  return xml.replace(
    /<!\[CDATA\[([^]*?)\]\]>|&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/giu,
    (_, data?: string, hexadecimal?: string, decimal?: string, name?: string) =>
      data ??
      (name === undefined
        ? character(hexadecimal ?? decimal!, hexadecimal === undefined ? 10 : 16)
        : entities[name.toLowerCase()]!),
  );
}

function character(code: string, base: number): string {
  const point = Number.parseInt(code, base);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
