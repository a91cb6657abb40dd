import { nameColumns } from './column-names.ts';
import { countFilled } from './header-rows.ts';
import { cellOf, isObject, parseRecord, type JsonRecord } from './json-record.ts';
import {
  chooseArray,
  isFieldList,
  isHeadList,
  membersOf,
  scannerOf,
  outlineJson,
  recordFault,
  type JsonOutline,
} from './json-outline.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { isErrorCode, portalError } from './portal-error.ts';
import { isTotalName, totalOfResponse } from './record-total.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FindingSink, RecordTotal, Table } from './table.ts';
import { readText, readTextHead } from './text.ts';

/**
 * Reads a JSON text as a table: the portal's `{fields, records}`, the envelope of a response, a plain array,
 * one object on each line, GeoJSON, or a single object. The text is read twice, so that every member of any
 * record is a column. Records are cut out and parsed one by one.
 */
export async function jsonTable(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
  list: string | null,
): Promise<Table> {
  const outline = await outlineJson(source, encoding, limits);
  if (outline.scalars.get('type') === '"Topology"') {
    throw new FileRefused(
      'not_a_table',
      `${source.name} is TopoJSON, which has shapes and no records; load the attributes as CSV or GeoJSON.`,
    );
  }
  const recordPath = chooseArray(source.name, outline, list);
  const table = { part, format: 'json', encoding } as const;
  if (recordPath === null) {
    const record = await singleRecord(source, encoding, outline, limits);
    const names = Object.keys(record.members);
    const cells = names.map((name) => cellOf(record.members[name], false));
    const batch: Batch = { rows: [cells], sourceRows: [1] };
    const columns = columnsOfMembers(names, record.renamed);
    const total = names.some(isTotalName) ? undefined : totalOf(outline, null, 1);
    return { ...table, ...columns, total, batches: oneBatch(batch) };
  }
  for (const [path, array] of outline.arrays) {
    if (list !== null || path === recordPath || isFieldList(path) || isHeadList(path)) continue;
    const detail = findingTexts.otherList(array.count, path, recordPath);
    finding({ kind: 'part_not_held', row: null, detail });
  }
  // `recordPath` is one of the keys.
  const array = outline.arrays.get(recordPath)!;
  if (array.firstBroken !== null && array.keys.size === 0) {
    throw new FileRefused(
      'damaged',
      `${source.name} has no record that can be read. Record ${array.firstBroken.row}: ${array.firstBroken.reason.en}`,
    );
  }
  const keys = new Set([...outline.fields, ...array.keys]);
  if (keys.size > limits.columnsMax) {
    throw new FileRefused(
      'too_large',
      `The records of ${source.name} have ${keys.size} different members, more than ${limits.columnsMax}.`,
    );
  }
  return {
    ...table,
    ...columnsOfMembers([...keys], [...array.renamed]),
    total: totalOf(outline, recordPath, array.count),
    batches: readRecords(
      { source, encoding, path: recordPath, form: outline.form },
      [...keys].map((name) => ({ name, keepsDigits: array.respelledMembers.has(name) })),
      limits,
      finding,
    ),
  };
}

function totalOf(
  { form, scalars }: JsonOutline,
  recordPath: string | null,
  records: number,
): RecordTotal | undefined {
  return form === 'value' ? totalOfResponse(scalars, recordPath, '.', records) : undefined;
}

interface JsonLocation {
  readonly source: ByteSource;
  readonly encoding: Encoding;
  readonly path: string;
  readonly form: JsonOutline['form'];
}

/** A member to be read; `keepsDigits` if all its numbers are kept as their digits. */
interface JsonMember {
  readonly name: string;
  readonly keepsDigits: boolean;
}

async function* readRecords(
  location: JsonLocation,
  columns: readonly JsonMember[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(columns.length, finding);
  let ordinal = 0;
  const isShape = ({ name }: JsonMember): boolean => /^geometry(?:_2)?$/u.test(name);
  const shape = location.path === 'features' ? columns.findLastIndex(isShape) : -1;
  const scanner = scannerOf(location.form, limits, {
    record(path, text, names) {
      if (path !== location.path) return;
      ordinal += 1;
      const record = parseRecord(text, names);
      if (record === null) {
        finding({ kind: 'row_unreadable', row: ordinal, detail: recordFault(text) });
        return;
      }
      if (record.isMended) {
        const detail = findingTexts.innerQuotes();
        finding({ kind: 'quote_broken', row: ordinal, detail });
      }
      if (record.hasBrokenCharacters) {
        const detail = findingTexts.escapeUnreadable();
        finding({ kind: 'character_unreadable', row: ordinal, detail });
      }
      const members = membersOf(record, path);
      const cells = columns.map(({ name, keepsDigits }) => cellOf(members[name], keepsDigits));
      if (String(cells[shape] ?? '').length > limits.geometryUnitsMax) {
        cells[shape] = null;
        const detail = findingTexts.geometryTooLong(limits.geometryUnitsMax);
        finding({ kind: 'geometry_not_held', row: ordinal, detail });
      }
      // A footnote of a table that was converted to JSON has all members, the others empty.
      const mayBeNote = Object.keys(members).length === columns.length;
      body.add(cells, countFilled(cells), ordinal, { mayBeNote });
    },
    scalar(path, raw) {
      if (path !== location.path) return;
      ordinal += 1;
      finding({ kind: 'row_unreadable', row: ordinal, detail: recordFault(raw) });
    },
    secondRoot() {},
  });
  for await (const text of readText(location.source, location.encoding)) {
    scanner.write(text);
    if (body.isFull) yield body.takeBatch();
  }
  scanner.end();
  yield body.endBatch();
}

/** Columns for the members of records; `earlier` has the names that were changed before. */
function columnsOfMembers(
  names: readonly string[],
  earlier: readonly string[],
): Pick<Table, 'columns' | 'layout'> {
  const { columns, renamed } = nameColumns(names.map((name) => name.trim() || null));
  const units = columns.map(() => null);
  const renamedColumns = [...new Set([...earlier, ...renamed])];
  return { columns, layout: { titleLines: [], headerRows: 0, units, renamedColumns } };
}

async function* oneBatch(batch: Batch): AsyncIterable<Batch> {
  yield batch;
}

/** Reads a text without an array of objects: a single record, an error or an empty response. */
async function singleRecord(
  source: ByteSource,
  encoding: Encoding,
  outline: JsonOutline,
  limits: FileLimits,
): Promise<JsonRecord> {
  const { name } = source;
  const code = scalarNamed(outline, codeNames);
  const message = scalarNamed(outline, messageNames) ?? '';
  if (code !== null && isErrorCode(code)) {
    throw portalError(name, { code, message });
  }
  const { text, isWhole } = await readTextHead(source, encoding, limits.documentUnitsMax);
  const document = isWhole ? parseRecord(text, null) : null;
  const members = document === null ? null : singleRecordMembers(document.members);
  if (document !== null && members !== null) return { ...document, members };
  if (code !== null || isEnvelope(outline, document)) {
    throw new FileRefused(
      'no_records',
      `${name} is a valid response with no records; request it again with other parameters.`,
    );
  }
  throw new FileRefused(
    'not_a_table',
    `${name} is JSON, but has no list of objects that could be rows; write it as [{"name": value, …}, …].`,
  );
}

/** True if a text is the envelope of a response without records. */
function isEnvelope({ scalars }: JsonOutline, document: JsonRecord | null): boolean {
  if (document !== null && envelopeNames.some((name) => name in document.members)) return true;
  return [...scalars.keys()].some((path) => countNames.test(path));
}

/** Members of a single record, which services write as an object instead of an array; null if there is none. */
function singleRecordMembers(
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const envelope = envelopeNames.find((name) => name in members);
  if (envelope !== undefined) {
    const inner = members[envelope];
    return isObject(inner) ? singleRecordMembers(inner) : null;
  }
  if ('header' in members || Object.keys(members).length === 0) return null;
  return Object.values(members).some(isScalar) ? members : null;
}

function isScalar(value: unknown): boolean {
  return value !== null && !isObject(value) && !Array.isArray(value);
}

const envelopeNames = ['response', 'body', 'items', 'item', 'records', 'data'];
const codeNames = /(?:^|\.)(?:resultCode|returnReasonCode|RESULT\.CODE|errorCode|code)$/u;
const countNames = /(?:^|\.)(?:(?:list_?)?total_?count|numOfRows|pageNo|count)$/iu;
const messageNames =
  /(?:^|\.)(?:resultMsg|returnAuthMsg|RESULT\.MESSAGE|errorMessage|msg|message)$/u;

function scalarNamed({ scalars }: JsonOutline, pattern: RegExp): string | null {
  for (const [path, raw] of scalars) {
    if (pattern.test(path)) return raw.replace(/^"|"$/gu, '');
  }
  return null;
}
