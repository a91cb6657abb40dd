import type { BilingualText } from '../../contract/language.ts';
import { isJsonText } from '../../kernel/json-object.ts';
import { findingTexts } from './finding-texts.ts';
import { spellingOf } from './json-exact.ts';
import {
  arcGisMembers,
  featureMembers,
  isGeometry,
  isObject,
  parseRecord,
  type JsonRecord,
} from './json-record.ts';
import { JsonLines, JsonScanner } from './json-scan.ts';
import type { FileLimits } from './limits.ts';
import { flatMembers, nestedNamesMax } from './nested-members.ts';
import { isTotalName } from './record-total.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { readText, readTextHead } from './text.ts';

/** One value, several objects printed over any lines, or one object on each line. */
type JsonForm = 'value' | 'objects' | 'lines';

/** Result of the first pass over a JSON text. */
export interface JsonOutline {
  readonly form: JsonForm;
  readonly arrays: ReadonlyMap<string, ArraySummary>;
  /** Ids of the portal's `fields`, in their order. */
  readonly fields: readonly string[];
  readonly scalars: ReadonlyMap<string, string>;
}

/** The objects of one array. */
export interface ArraySummary {
  count: number;
  /** Names of the members of all records. */
  keys: Set<string>;
  /** The same without the members of objects in records. */
  readonly ownKeys: Set<string>;
  /** False if objects in records stay texts because they have too many different names. */
  isFlat: boolean;
  /** Members with a number, in some record, that JavaScript would spell differently. */
  readonly respelledMembers: Set<string>;
  /** New names of members that repeated a name of their object. */
  readonly renamed: Set<string>;
  /** The first record that is not JSON, with the reason; null if there is none. */
  firstBroken: { readonly row: number; readonly reason: BilingualText } | null;
}

/** First pass over a JSON text: collects its arrays of objects with all members, and the scalars around them. */
export async function outlineJson(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
): Promise<JsonOutline> {
  if (await isJsonLines(source, encoding)) return outlineForm(source, encoding, limits, 'lines');
  return outlineForm(source, encoding, limits, 'value');
}

async function outlineForm(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
  form: JsonForm,
): Promise<JsonOutline> {
  const arrays = new Map<string, ArraySummary>();
  const fields: string[] = [];
  const scalars = new Map<string, string>();
  let roots = 1;
  const scanner = scannerOf(form, limits, {
    record(path, text, memberCount) {
      const array = arrays.get(path) ?? emptyArray();
      arrays.set(path, array);
      array.count += 1;
      const record = parseRecord(text, memberCount);
      if (record === null) {
        array.firstBroken ??= { row: array.count, reason: recordFault(text) };
        return;
      }
      if (isHeadList(path)) addTotals(record, path, scalars);
      const id = isFieldList(path) ? record.members['id'] : undefined;
      if (typeof id === 'string') fields.push(id);
      for (const name of record.renamed) array.renamed.add(name);
      const own = ownMembers(record, path);
      for (const key of Object.keys(own)) array.ownKeys.add(key);
      const members = array.isFlat ? flatMembers(own) : own;
      for (const key of Object.keys(members)) {
        array.keys.add(key);
        if (typeof members[key] === 'object' && spellingOf(members[key]) !== null) {
          array.respelledMembers.add(key);
        }
      }
      if (array.keys.size <= array.ownKeys.size + nestedNamesMax) return;
      array.isFlat = false;
      array.keys = array.ownKeys;
    },
    scalar(path, raw) {
      if (scalars.size < scalarsMax) scalars.set(path, raw);
    },
    secondRoot() {
      roots += 1;
    },
  });
  for await (const text of readText(source, encoding)) {
    scanner.write(text);
    if (roots > 1 && form === 'value') return outlineForm(source, encoding, limits, 'objects');
  }
  scanner.end();
  if (roots > 1 && form === 'value') return outlineForm(source, encoding, limits, 'objects');
  return { form, arrays, fields, scalars };
}

/**
 * True if a JSON text has one object on each line: it begins with an object, and two of its first lines are
 * whole objects. Objects that are printed over several lines have no such line.
 */
async function isJsonLines(source: ByteSource, encoding: Encoding): Promise<boolean> {
  const { text } = await readTextHead(source, encoding, headUnits);
  if (!text.trimStart().startsWith('{')) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const objects = lines.slice(0, headLines).filter(isWholeObject);
  return objects.length >= 2;
}

const headUnits = 64 * 1024;
const headLines = 20;

/** True for an object that fills an unindented line; an indented line is part of a larger object. */
function isWholeObject(line: string): boolean {
  if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return false;
  return parseRecord(line, null) !== null;
}

/** Scanner for the records of a text in a form. */
export function scannerOf(
  form: JsonForm,
  limits: FileLimits,
  visitor: ConstructorParameters<typeof JsonScanner>[1],
): Pick<JsonScanner, 'write' | 'end'> {
  if (form === 'lines') return new JsonLines(limits, visitor);
  return new JsonScanner({ ...limits, hasRootRecords: form === 'objects' }, visitor);
}

function emptyArray(): ArraySummary {
  return {
    count: 0,
    keys: new Set(),
    ownKeys: new Set(),
    isFlat: true,
    respelledMembers: new Set(),
    renamed: new Set(),
    firstBroken: null,
  };
}

/** Explains why the text of a record cannot be read. */
export function recordFault(text: string): BilingualText {
  const start = text.slice(0, 80);
  return isJsonText(text)
    ? findingTexts.notRecord(start)
    : findingTexts.invalidJson(firstInvalidWord(text), start);
}

/** The first word that is not a JSON value, such as NaN; null if there is none. */
function firstInvalidWord(text: string): string | null {
  const words = text.replace(/"(?:[^"\\]|\\.)*"/gsu, ' ').matchAll(/[^\s,:{}[\]]+/gu);
  for (const [word] of words) if (!jsonWord.test(word)) return word.slice(0, 40);
  return null;
}

const jsonWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/u;

/** True for the path of the portal's list of columns. */
export function isFieldList(path: string): boolean {
  return path === 'fields' || path.endsWith('.fields');
}

/** True for the path of a list with the facts of a response, which some services write beside the records. */
export function isHeadList(path: string): boolean {
  return path === 'head' || path.endsWith('.head');
}

/** Adds the total number of records that is declared in a list of facts. */
function addTotals({ members }: JsonRecord, path: string, scalars: Map<string, string>): void {
  for (const [name, value] of Object.entries(members)) {
    if (isTotalName(name)) scalars.set(`${path}.${name}`, String(value));
  }
}

/** The members of a record that become its columns; without `isFlat`, objects in it stay as they are. */
export function membersOf(
  record: JsonRecord,
  path: string,
  isFlat: boolean,
): Readonly<Record<string, unknown>> {
  const own = ownMembers(record, path);
  return isFlat ? flatMembers(own) : own;
}

function ownMembers(record: JsonRecord, path: string): Readonly<Record<string, unknown>> {
  const { type, attributes, properties } = record.members;
  const isInSequence = path === '' && isObject(properties);
  if (type === 'Feature' && (path === 'features' || isInSequence)) {
    return featureMembers(record.members);
  }
  if (geometryPaths.has(path) && isGeometry(record.members)) {
    return featureMembers({ geometry: record.members });
  }
  if (path !== 'features') return record.members;
  return isObject(attributes)
    ? arcGisMembers(attributes, record.members['geometry'])
    : record.members;
}

/** Paths of lists that may have bare geometries: in a collection, an array or a sequence. */
const geometryPaths: ReadonlySet<string> = new Set(['', 'geometries']);

/** Maximum number of scalars that are collected; an envelope has few. */
const scalarsMax = 200;
