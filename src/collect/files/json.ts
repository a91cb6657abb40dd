import { nameColumns } from './column-names.ts';
import { countFilled } from './heading.ts';
import { cellOf, featureMembers, isObject, parseRecord, type JsonRecord } from './json-record.ts';
import { JsonScanner } from './json-scanner.ts';
import type { FileLimits } from './limits.ts';
import { isErrorCode, isNoDataCode, portalError } from './portal-error.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FindingSink, Table } from './table.ts';
import { readText, readTextHead } from './text.ts';

/**
 * The records of a JSON text as a table: the portal's `{fields, records}`, an answer's envelope, a plain
 * array, one object a line, GeoJSON, or a single object. Read twice, so that every member that any record
 * has is a column; records are cut out and parsed one by one.
 */
export async function jsonTable(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
): Promise<Table> {
  const survey = await surveyJson(source, encoding, limits);
  if (survey.scalars.get('type') === '"Topology"') {
    throw new FileRefused(
      'not_a_table',
      `${source.name} is TopoJSON: shapes, not records; load the attributes as CSV or GeoJSON.`,
    );
  }
  const chosen = chooseArray(source.name, survey);
  const table = { part, format: 'json', encoding } as const;
  if (chosen === null) {
    const record = await singleRecord(source, encoding, survey, limits);
    const names = Object.keys(record);
    const cells = names.map((name) => cellOf(record[name]));
    const batch: Batch = { rows: [cells], sourceRows: [1] };
    return { ...table, ...columnsOf(names), batches: oneBatch(batch) };
  }
  for (const [path, array] of survey.arrays) {
    if (path === chosen || isFieldList(path) || path.endsWith('.head')) continue;
    const detail = `The ${array.count} records at ${path} are not held: those at ${chosen} are.`;
    finding({ kind: 'part_not_held', row: null, detail });
  }
  const keys = new Set([...survey.fields, ...(survey.arrays.get(chosen)?.keys ?? [])]);
  if (keys.size > limits.columnsMax) {
    throw new FileRefused(
      'too_large',
      `The records of ${source.name} have ${keys.size} different members, more than ${limits.columnsMax}.`,
    );
  }
  return {
    ...table,
    ...columnsOf([...keys]),
    batches: readRecords(
      { source, encoding, path: chosen, lines: survey.lines },
      [...keys],
      limits,
      finding,
    ),
  };
}

interface JsonSurvey {
  readonly lines: boolean;
  readonly arrays: ReadonlyMap<
    string,
    { readonly count: number; readonly keys: ReadonlySet<string> }
  >;
  /** Ids of the portal's `fields`, in their order. */
  readonly fields: readonly string[];
  readonly scalars: ReadonlyMap<string, string>;
}

interface JsonPlace {
  readonly source: ByteSource;
  readonly encoding: Encoding;
  readonly path: string;
  readonly lines: boolean;
}

async function surveyJson(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
  lines = false,
): Promise<JsonSurvey> {
  const arrays = new Map<string, { count: number; keys: Set<string> }>();
  const fields: string[] = [];
  const scalars = new Map<string, string>();
  let roots = 1;
  const scanner = new JsonScanner(
    { ...limits, lines },
    {
      record(path, text) {
        const array = arrays.get(path) ?? { count: 0, keys: new Set<string>() };
        arrays.set(path, array);
        array.count += 1;
        const record = parseRecord(text);
        if (record === null) return;
        const id = isFieldList(path) ? record.members['id'] : undefined;
        if (typeof id === 'string') fields.push(id);
        for (const key of Object.keys(membersOf(record, path))) array.keys.add(key);
      },
      scalar(path, raw) {
        if (scalars.size < scalarsMax) scalars.set(path, raw);
      },
      secondRoot() {
        roots += 1;
      },
    },
  );
  for await (const text of readText(source, encoding)) {
    scanner.write(text);
    if (roots > 1) return surveyJson(source, encoding, limits, true);
  }
  scanner.end();
  if (roots > 1) return surveyJson(source, encoding, limits, true);
  return { lines, arrays, fields, scalars };
}

async function* readRecords(
  place: JsonPlace,
  keys: readonly string[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(keys.length, finding);
  let ordinal = 0;
  const scanner = new JsonScanner(
    { ...limits, lines: place.lines },
    {
      record(path, text) {
        if (path !== place.path) return;
        ordinal += 1;
        const record = parseRecord(text);
        if (record === null) {
          const detail = `The record is not JSON: ${text.slice(0, 80)}`;
          finding({ kind: 'row_unreadable', row: ordinal, detail });
          return;
        }
        if (record.mended) {
          const detail = 'Quotes inside a string were not escaped.';
          finding({ kind: 'quote_broken', row: ordinal, detail });
        }
        const members = membersOf(record, path);
        const cells = keys.map((key) => cellOf(members[key]));
        const filled = countFilled(cells);
        body.add(cells, filled, ordinal);
      },
      scalar() {},
      secondRoot() {},
    },
  );
  for await (const text of readText(place.source, place.encoding)) {
    scanner.write(text);
    if (body.full) yield body.take();
  }
  scanner.end();
  yield body.end();
}

/** The array whose objects are the records: by its name, else the longest. */
function chooseArray(name: string, { arrays, fields }: JsonSurvey): string | null {
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

function isFieldList(path: string): boolean {
  return path === 'fields' || path.endsWith('.fields');
}

function membersOf(record: JsonRecord, path: string): Readonly<Record<string, unknown>> {
  const feature = path === 'features' && record.members['type'] === 'Feature';
  return feature ? featureMembers(record.members) : record.members;
}

/** A text without any array of objects: an error, an empty answer, or one record by itself. */
async function singleRecord(
  source: ByteSource,
  encoding: Encoding,
  survey: JsonSurvey,
  limits: FileLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const { name } = source;
  const code = scalarNamed(survey, codeNames);
  const message = scalarNamed(survey, messageNames) ?? '';
  if (code !== null && isErrorCode(code) && !isNoDataCode(code)) {
    throw portalError(name, { code, message });
  }
  const { text, whole } = await readTextHead(source, encoding, limits.documentUnitsMax);
  const document = whole ? parseRecord(text) : null;
  const record = document === null ? null : innermost(document.members);
  if (record !== null) return record;
  if (code !== null || survey.scalars.size > 0) {
    throw new FileRefused('no_records', `${name} is a proper answer that holds no record.`);
  }
  throw new FileRefused('not_a_table', `${name} is JSON, but holds no objects that could be rows.`);
}

/** One row arrives as an object where several would be an array. */
function innermost(
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const envelope = envelopeNames.find((name) => name in members);
  if (envelope !== undefined) {
    const inner = members[envelope];
    return isObject(inner) ? innermost(inner) : null;
  }
  if ('header' in members || Object.keys(members).length === 0) return null;
  return Object.values(members).some((value) => typeof value !== 'object') ? members : null;
}

const envelopeNames = ['response', 'body', 'items', 'item', 'records', 'data'];
const codeNames = /(?:^|\.)(?:resultCode|returnReasonCode|RESULT\.CODE|errorCode|code)$/u;
const messageNames =
  /(?:^|\.)(?:resultMsg|returnAuthMsg|RESULT\.MESSAGE|errorMessage|msg|message)$/u;

function scalarNamed({ scalars }: JsonSurvey, pattern: RegExp): string | null {
  for (const [path, raw] of scalars) {
    if (pattern.test(path)) return raw.replace(/^"|"$/gu, '');
  }
  return null;
}

function columnsOf(names: readonly string[]): Pick<Table, 'columns' | 'layout'> {
  const { columns, renamed } = nameColumns(names.map((name) => name.trim() || null));
  const units = columns.map(() => null);
  return { columns, layout: { titleLines: [], headerRows: 0, units, renamedColumns: renamed } };
}

async function* oneBatch(batch: Batch): AsyncIterable<Batch> {
  yield batch;
}

/** What an envelope says beside its records is little. */
const scalarsMax = 200;
