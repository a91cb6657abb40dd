import { spellingOf } from './json-exact.ts';
import { brokenWord, featureMembers, parseRecord, type JsonRecord } from './json-record.ts';
import { isJsonLines, JsonLines } from './json-lines.ts';
import { JsonScanner } from './json-scanner.ts';
import type { FileLimits } from './limits.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { readText } from './text.ts';

/** One value; several objects after each other, printed over any lines; or one object a line. */
type JsonForm = 'value' | 'objects' | 'lines';

/** What a first reading of a JSON text finds. */
export interface JsonSurvey {
  readonly form: JsonForm;
  readonly arrays: ReadonlyMap<string, SurveyedArray>;
  /** Ids of the portal's `fields`, in their order. */
  readonly fields: readonly string[];
  readonly scalars: ReadonlyMap<string, string>;
}

/** The objects of one array. */
interface SurveyedArray {
  count: number;
  readonly keys: Set<string>;
  /** Members of which some record has a number that JavaScript would spell otherwise. */
  readonly spelled: Set<string>;
  /** Names given to members that repeated another one’s. */
  readonly renamed: Set<string>;
  /** The first record that is not JSON, and why; null where all are. */
  broken: { readonly row: number; readonly why: string } | null;
}

/** Reads a JSON text once: its arrays of objects with all their members, and the scalars around them. */
export async function surveyJson(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
): Promise<JsonSurvey> {
  if (await isJsonLines(source, encoding)) return surveyForm(source, encoding, limits, 'lines');
  return surveyForm(source, encoding, limits, 'value');
}

async function surveyForm(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
  form: JsonForm,
): Promise<JsonSurvey> {
  const arrays = new Map<string, SurveyedArray>();
  const fields: string[] = [];
  const scalars = new Map<string, string>();
  let roots = 1;
  const scanner = scannerOf(form, limits, {
    record(path, text, names) {
      const array = arrays.get(path) ?? emptyArray();
      arrays.set(path, array);
      array.count += 1;
      const record = parseRecord(text, names);
      if (record === null) {
        array.broken ??= { row: array.count, why: whyBroken(text) };
        return;
      }
      const id = isFieldList(path) ? record.members['id'] : undefined;
      if (typeof id === 'string') fields.push(id);
      for (const name of record.renamed) array.renamed.add(name);
      const members = membersOf(record, path);
      for (const key of Object.keys(members)) {
        array.keys.add(key);
        if (typeof members[key] === 'object' && spellingOf(members[key]) !== null) {
          array.spelled.add(key);
        }
      }
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
    if (roots > 1 && form === 'value') return surveyForm(source, encoding, limits, 'objects');
  }
  scanner.end();
  if (roots > 1 && form === 'value') return surveyForm(source, encoding, limits, 'objects');
  return { form, arrays, fields, scalars };
}

/** What cuts a text of a form into its records. */
export function scannerOf(
  form: JsonForm,
  limits: FileLimits,
  visitor: ConstructorParameters<typeof JsonScanner>[1],
): Pick<JsonScanner, 'write' | 'end'> {
  if (form === 'lines') return new JsonLines(limits, visitor);
  return new JsonScanner({ ...limits, lines: form === 'objects' }, visitor);
}

function emptyArray(): SurveyedArray {
  return { count: 0, keys: new Set(), spelled: new Set(), renamed: new Set(), broken: null };
}

/** What is wrong with the text of a record, in words. */
export function whyBroken(text: string): string {
  const word = brokenWord(text);
  const said = word === null ? 'it is not JSON' : `${word} is no JSON value`;
  const why = isJson(text) ? 'it is no object' : said;
  return `${why}: ${text.slice(0, 80)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The array whose objects are the records: by its name, else the longest. */
export function chooseArray(name: string, { arrays, fields }: JsonSurvey): string | null {
  const candidates = [...arrays].filter(
    ([path]) => !(isFieldList(path) && (fields.length > 0 || arrays.size > 1)),
  );
  candidates.sort(([a, one], [b, two]) => nameRank(b) - nameRank(a) || two.count - one.count);
  const [path, { count }] = candidates[0] ?? [null, { count: 0 }];
  const all = candidates.reduce((sum, [, array]) => sum + array.count, 0);
  if (path !== null && nameRank(path) === 0 && count < all / 2) {
    throw new FileRefused(
      'not_a_table',
      `${name} holds ${candidates.length} lists of records and none of them is the table; load them one by one.`,
    );
  }
  return path;
}

function nameRank(path: string): number {
  return recordNames.has(path.split('.').at(-1) ?? '') ? 1 : 0;
}

const recordNames: ReadonlySet<string> = new Set(
  'records record data items item rows row list features results DATA'.split(' '),
);

/** Whether an array is the portal's list of columns. */
export function isFieldList(path: string): boolean {
  return path === 'fields' || path.endsWith('.fields');
}

/** The members of a record that are its columns. */
export function membersOf(record: JsonRecord, path: string): Readonly<Record<string, unknown>> {
  const feature = path === 'features' && record.members['type'] === 'Feature';
  return feature ? featureMembers(record.members) : record.members;
}

/** What an envelope says beside its records is little. */
const scalarsMax = 200;
