import pg from 'pg';
import type { Kind } from './tables.ts';

/**
 * The text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html): a row a line, values between tabs.
 * Both engines write it in the same bytes, so that tables are compared by it.
 */
export function readLine(line: string): (string | null)[] {
  return line.split('\t').map((value) => (value === '\\N' ? null : unescaped(value)));
}

function unescaped(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** SQL of SQLite for a value as a line of COPY has it. */
export function writtenInSqlite(column: string, kind: Kind): string {
  return `ifnull(${expressions[kind](column)}, '\\N')`;
}

const expressions: Readonly<Record<Kind, (column: string) => string>> = {
  number: (column) => column,
  boolean: (column) => `iif(${column}, 't', 'f')`,
  // The backslash of \x is escaped. hex() makes a text of null.
  bytes: (column) => `iif(${column} IS NULL, NULL, '\\\\x' || lower(hex(${column})))`,
  text: escapedInSqlite,
  texts: (column) => escapedInSqlite(`array_of_json(${column})`),
  words: (column) => escapedInSqlite(`array_of_words(${column})`),
  numbers: (column) => escapedInSqlite(`array_of_json(${column})`),
};

function escapedInSqlite(column: string): string {
  return Object.entries(escapes).reduce(
    (sql, [letter, character]) =>
      `replace(${sql}, char(${character.charCodeAt(0)}), '\\${letter}')`,
    `replace(${column}, '\\', '\\\\')`,
  );
}

/** The spelling of an array by PostgreSQL. */
export function arrayText(values: readonly unknown[]): string {
  const quoted = values.map(String).map((value) =>
    // Elements that the server puts in quotes.
    value === '' || /[\s{}",\\]/.test(value) || value.toLowerCase() === 'null'
      ? `"${value.replace(/["\\]/g, '\\$&')}"`
      : value,
  );
  return `{${quoted.join(',')}}`;
}

/** A value of a line as SQLite stores it. */
export function sqliteValue(text: string | null, kind: Kind): string | number | Uint8Array | null {
  return text === null ? null : readers[kind](text);
}

const readers: Readonly<Record<Kind, (text: string) => string | number | Uint8Array>> = {
  number: Number,
  boolean: (text) => (text === 't' ? 1 : 0),
  text: (text) => text,
  bytes: (text) => Buffer.from(text.slice(2), 'hex'),
  texts: (text) => JSON.stringify(elementsOf(text)),
  words: (text) => elementsOf(text).join(' '),
  numbers: (text) => JSON.stringify(elementsOf(text).map(Number)),
};

function elementsOf(text: string): readonly string[] {
  // The driver's parser of text[] returns strings.
  return pg.types.getTypeParser(textArray, 'text')(text) as string[];
}

/** The types of the driver have no name for text[]. */
const textArray: number = 1009;
