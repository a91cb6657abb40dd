import { mendCharacters } from './json-characters.ts';
import { parseExactly, spellingOf } from './json-exact.ts';
import { mendJson } from './json-mend.ts';
import { countMembers, distinctNames } from './json-names.ts';
import type { Cell } from './table.ts';

/** A record of a JSON text with its members as they are, and what had to be done to its text. */
export interface JsonRecord {
  readonly members: Readonly<Record<string, unknown>>;
  /** Quotes inside a string were not escaped. */
  readonly mended: boolean;
  /** Escapes that are no character became U+FFFD. */
  readonly hasBrokenCharacters: boolean;
  /** Names given to members that repeated another one’s. */
  readonly renamed: readonly string[];
}

/**
 * Parses the text of one object; null where even mending does not make it JSON. `names` is how many members
 * were counted in the text, at any depth; null where nobody counted.
 */
export function parseRecord(text: string, names: number | null): JsonRecord | null {
  const { text: readable, isBroken: hasBrokenCharacters } = mendCharacters(text);
  const asWritten = parseObject(readable);
  const proper = asWritten === null ? mendJson(readable) : readable;
  const members = asWritten ?? parseObject(proper);
  if (members === null) return null;
  const mended = asWritten === null;
  if (names !== null && countMembers(members) === names) {
    return { members, mended, hasBrokenCharacters, renamed: [] };
  }
  const { text: distinct, renamed } = distinctNames(proper);
  const all = renamed.length === 0 ? members : (parseObject(distinct) ?? members);
  return { members: all, mended, hasBrokenCharacters, renamed };
}

/** The first word of a text that no JSON value is, such as NaN; null where there is none. */
export function brokenWord(text: string): string | null {
  const words = text.replace(/"(?:[^"\\]|\\.)*"/gsu, ' ').matchAll(/[^\s,:{}[\]]+/gu);
  for (const [word] of words) if (!jsonWord.test(word)) return word.slice(0, 40);
  return null;
}

const jsonWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/u;

/**
 * A member as a cell: text without the white space around it, the rest as JSON text. Numbers stay numbers,
 * unless `spelled` asks for their digits or JavaScript would spell them otherwise than the source.
 */
export function cellOf(value: unknown, spelled: boolean): Cell {
  switch (typeof value) {
    case 'string': {
      const text = value.trim();
      return text === '' ? null : text;
    }
    case 'number':
      return spelled ? String(value) : value;
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : (spellingOf(value) ?? JSON.stringify(value));
    default:
      return null;
  }
}

/** A GeoJSON feature as a record: its properties, with `lon` and `lat` for a point. */
export function featureMembers(
  feature: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = isObject(feature['properties']) ? feature['properties'] : {};
  const geometry = feature['geometry'];
  if (!isObject(geometry) || geometry['type'] !== 'Point') return properties;
  const { coordinates } = geometry;
  if (!Array.isArray(coordinates)) return properties;
  const [lon, lat]: unknown[] = coordinates;
  return { lon, lat, ...properties };
}

/** Whether a value is an object with members: no array, no number kept as it is written. */
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
