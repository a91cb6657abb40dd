import { parseExactly, spellingOf } from './json-exact.ts';
import { withoutPadding } from './padding.ts';
import type { Cell } from './table.ts';

/** A record of a JSON text, and the repairs that its text needed. */
export interface JsonRecord {
  readonly members: Readonly<Record<string, unknown>>;
  /** Repair of the text: escapes of quotes inside strings, or other words and commas; null if it needed none. */
  readonly mended: 'quotes' | 'words' | null;
  /** True if an escape that encodes no character became U+FFFD. */
  readonly hasBrokenCharacters: boolean;
  /** New names of members that repeated a name of their object. */
  readonly renamed: readonly string[];
}

/**
 * Parses the text of one object; null if it is not JSON even after mending. `memberCount` is the number of members in
 * the text, at any depth; null if they were not counted.
 */
export function parseRecord(text: string, memberCount: number | null): JsonRecord | null {
  const { text: readable, isBroken: hasBrokenCharacters } = mendCharacters(text);
  const mending = mendingOf(readable);
  if (mending === null) return null;
  const { members, mended, text: mendedText } = mending;
  if (memberCount !== null && countMembers(members) === memberCount) {
    return { members, mended, hasBrokenCharacters, renamed: [] };
  }
  const { text: distinctText, renamed } = renameRepeats(mendedText);
  const allMembers = renamed.length === 0 ? members : (parseObject(distinctText) ?? members);
  return { members: allMembers, mended, hasBrokenCharacters, renamed };
}

interface Mending extends Pick<JsonRecord, 'members' | 'mended'> {
  /** Valid JSON. */
  readonly text: string;
}

/** Parses a text with the least mending; null if none is enough. */
function mendingOf(text: string): Mending | null {
  const attempts = [
    { mended: null, mend: (each: string) => each },
    { mended: 'words', mend: mendWords },
    { mended: 'quotes', mend: mendQuotes },
  ] as const;
  for (const { mended, mend } of attempts) {
    const mendedText = mend(text);
    const members = parseObject(mendedText);
    if (members !== null) return { members, mended, text: mendedText };
  }
  return null;
}

/**
 * Corrects what is not JSON outside of strings: quotes names, turns NaN and Infinity into null, and removes a comma after
 * the last member.
 */
export function mendWords(text: string): string {
  return text.replace(
    wordsAndStrings,
    (match: string, name?: string, word?: string, end?: string) => {
      if (name !== undefined) return JSON.stringify(name);
      if (word !== undefined) return 'null';
      return end ?? match;
    },
  );
}

/**
 * A string, or a name without quotes, a number that JSON lacks, or a comma before a bracket with the bracket. A string
 * may be open to the end, and a name begins at the start of a word only: else a record without quotes or colons would
 * take quadratic time.
 */
const wordsAndStrings =
  /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)(?=\s*:)|(-?\bInfinity\b|\bNaN\b|\bundefined\b)|,(\s*[}\]])/gsu;

/**
 * Makes a cell of a member: strings are trimmed, objects and arrays become JSON text. Numbers stay numbers,
 * unless `keepsDigits` requests their digits or JavaScript would spell them differently.
 */
export function cellOf(value: unknown, keepsDigits: boolean): Cell {
  switch (typeof value) {
    case 'string': {
      return withoutPadding(value) || null;
    }
    case 'number':
      return keepsDigits ? String(value) : value;
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : (spellingOf(value) ?? JSON.stringify(value));
    default:
      return null;
  }
}

/**
 * The properties of a GeoJSON feature. The feature's id is added unless they have one, and its shape: `lon`, `lat` and
 * `altitude` of a point, `geometry` of any other.
 */
export function featureMembers(
  feature: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = isObject(feature['properties']) ? feature['properties'] : {};
  const { id, geometry } = feature;
  const isLasting = typeof id === 'number' || (typeof id === 'string' && !temporaryId.test(id));
  const hasId = isLasting && !('id' in own);
  const properties = hasId ? { id, ...own } : own;
  if (!isObject(geometry)) return properties;
  if (geometry['type'] !== 'Point') {
    const name = 'geometry' in properties ? 'geometry_2' : 'geometry';
    return { ...properties, [name]: geometry };
  }
  const { coordinates } = geometry;
  if (!Array.isArray(coordinates)) return properties;
  const [lon, lat, altitude]: unknown[] = coordinates;
  // Zero is what programs write for no altitude.
  return Number(altitude ?? 0) === 0
    ? { lon, lat, ...properties }
    : { lon, lat, altitude, ...properties };
}

/** Ids that GeoServer makes anew for each request. */
const temporaryId = /\.fid-/u;

/** True for a bare geometry of GeoJSON, without the feature around it. */
export function isGeometry(members: Readonly<Record<string, unknown>>): boolean {
  const { type, coordinates, geometries } = members;
  const isOfType = typeof type === 'string' && geometryTypes.has(type);
  const isAlone = Object.keys(members).every((name) => geometryNames.has(name));
  return isOfType && isAlone && Array.isArray(coordinates ?? geometries);
}

const geometryTypes: ReadonlySet<string> = new Set(
  'Point MultiPoint LineString MultiLineString Polygon MultiPolygon GeometryCollection'.split(' '),
);
const geometryNames: ReadonlySet<string> = new Set(
  'type coordinates geometries bbox crs'.split(' '),
);

/** The attributes of a feature of ArcGIS, with `lon` and `lat` for a point and `geometry` for another shape. */
export function arcGisMembers(
  attributes: Readonly<Record<string, unknown>>,
  geometry: unknown,
): Readonly<Record<string, unknown>> {
  if (!isObject(geometry)) return attributes;
  const { x: lon, y: lat } = geometry;
  return lon === undefined ? { ...attributes, geometry } : { lon, lat, ...attributes };
}

/** True for an object with members: not for an array, nor for a number kept as written. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return spellingOf(value) === null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parseExactly(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Decodes the escapes of a JSON text to NFC if one of them encodes no character (half a surrogate pair, NUL)
 * or may be part of a decomposed syllable. An escape without a character becomes U+FFFD, as in text that is not
 * escaped. Escapes of ASCII stay, because they may be quotes.
 */
function mendCharacters(text: string): {
  readonly text: string;
  readonly isBroken: boolean;
} {
  if (!oddEscape.test(text)) return { text, isBroken: false };
  let isBroken = false;
  const literal = text.replace(anyEscape, (escape: string, code: string | undefined) => {
    if (code === undefined) return escape;
    const unit = Number.parseInt(code, 16);
    if (unit === 0) isBroken = true;
    if (unit === 0) return '\ufffd';
    return unit < 0x80 ? escape : String.fromCharCode(unit);
  });
  isBroken ||= !literal.isWellFormed();
  return { text: literal.toWellFormed().normalize('NFC'), isBroken };
}

const oddEscape = /\\u(?:0000|03|11|d[89a-f])/iu;
const anyEscape = /\\(?:u([0-9a-f]{4})|[^])/giu;

/**
 * Adds the escapes that a JSON text lacks: of quotes inside strings, line breaks, lone backslashes.
 * A string in two pairs of quotes (`""2,4주 월요일""`) loses the inner pair.
 */
export function mendQuotes(text: string): string {
  let mended = '';
  let position = 0;
  const open: string[] = [];
  while (position < text.length) {
    const character = text.charAt(position);
    if (character === '"') {
      const end = closingQuote(text, position, open.at(-1) === '[');
      mended += `"${escapeInner(unwrap(text.slice(position + 1, end)))}"`;
      position = end + 1;
      continue;
    }
    if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') open.pop();
    mended += character;
    position += 1;
  }
  return mended;
}

/** Finds the closing quote: one before a character that may follow a string; in an object, before a comma and a name. */
function closingQuote(text: string, start: number, inArray: boolean): number {
  for (let position = start + 1; position < text.length; position++) {
    const character = text.charAt(position);
    if (character === '\\') position += 1;
    if (character !== '"') continue;
    followers.lastIndex = position + 1;
    const match = followers.exec(text);
    if (match === null) continue;
    const [, end, afterComma] = match;
    if (end !== undefined || afterComma === '"' || inArray) return position;
  }
  return text.length;
}

const followers = /\s*(?:([:}\]])|,\s*(.?))/uy;

function unwrap(inner: string): string {
  const isWrapped = inner.length >= 2 && inner.startsWith('"') && inner.endsWith('"');
  return isWrapped ? inner.slice(1, -1) : inner;
}

function escapeInner(inner: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are escaped here.
  return inner.replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|["\\\u0000-\u001f]/giu, (match) =>
    match.length > 1 ? match : JSON.stringify(match).slice(1, -1),
  );
}

/** A JSON text whose objects have distinct names, and the names that were changed. */
interface DistinctNames {
  readonly text: string;
  readonly renamed: readonly string[];
}

/**
 * Renames a member that repeats a name of its object to `이름_2`, as a repeated column is. `JSON.parse` would
 * keep the last one and drop the others silently. `text` is valid JSON.
 */
export function renameRepeats(text: string): DistinctNames {
  const renamed: string[] = [];
  /** For each object that is open, the occurrences of its names. */
  const open: Map<string, number>[] = [];
  const allNames = new Set(
    Array.from(text.matchAll(token), ([, name]) => (name === undefined ? '' : unescapeName(name))),
  );
  const distinct = text.replace(token, (match: string, name: string | undefined) => {
    if (match === '{') open.push(new Map());
    else if (match === '}') open.pop();
    const names = open.at(-1);
    if (name === undefined || names === undefined) return match;
    const decodedName = unescapeName(name);
    let copy = (names.get(decodedName) ?? 0) + 1;
    names.set(decodedName, copy);
    if (copy === 1) return match;
    while (allNames.has(`${decodedName}_${copy}`)) copy++;
    names.set(decodedName, copy);
    const unique = `${decodedName}_${copy}`;
    renamed.push(unique);
    return `${JSON.stringify(unique)}:`;
  });
  return { text: distinct, renamed };
}

/** Counts the members of all objects in a value. */
export function countMembers(value: object): number {
  let count = 0;
  const isList = Array.isArray(value);
  for (const each of Object.values(value) as unknown[]) {
    if (!isList) count++;
    if (typeof each === 'object' && each !== null && spellingOf(each) === null)
      count += countMembers(each);
  }
  return count;
}

function unescapeName(name: string): string {
  return JSON.parse(`"${name}"`) as string;
}

/** A member’s name with its colon, any other string, or a brace. */
const token = /"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]/gsu;
