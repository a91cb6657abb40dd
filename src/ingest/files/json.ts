import type { BilingualText } from '../../contract/language.ts';
import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { countFilled } from './head-row.ts';
import {
  cellOf,
  featureMembers,
  isGeometry,
  isObject,
  parseRecord,
  type JsonRecord,
} from './json-record.ts';
import { parseExactly } from './json-exact.ts';
import { gridOfDocument, gridOfNamedColumns, type JsonGrid } from './json-grid.ts';
import { chooseLists, type ListGroup } from './json-lists.ts';
import {
  membersOf,
  scannerOf,
  outlineJson,
  recordFault,
  type JsonOutline,
} from './json-outline.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { flatMembers } from './nested-members.ts';
import { isErrorCode, portalError } from './portal-error.ts';
import { isTotalName, totalOfResponse } from './record-total.ts';
import { refusalTexts } from './refusal-texts.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FindingSink, RecordTotal, Table } from './table.ts';
import { readText, readTextHead } from './text.ts';

/**
 * Reads the tables of a JSON text: the portal's `{fields, records}`, the envelope of a response, a plain array, one object
 * on each line, GeoJSON, several lists, or a single object. The text is read twice: first for the names of all members,
 * which become the columns, then for the records; once more for each further table. Records are parsed one by one.
 */
export async function* jsonTables(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
  list: string | null,
): AsyncIterable<Table> {
  const outline = await outlineJson(source, encoding, limits);
  if (outline.scalars.get('type') === '"Topology"') {
    throw new FileRefused('not_a_table', treeRefusalTexts.topoJson(source.name));
  }
  const lists = chooseLists(source.name, outline, list);
  const table = { part, format: 'json', encoding } as const;
  // A list in a single feature is a part of its properties or of its shape.
  if (lists.length === 0 || (list === null && outline.scalars.get('type') === '"Feature"')) {
    yield { ...table, ...(await documentTable(source, encoding, outline, limits)) };
    return;
  }
  const grid = list === null ? await namedGrid(source, encoding, outline, limits) : null;
  if (grid !== null) yield { ...table, ...gridTable(grid), isMain: true };
  const isColumnList = ({ paths }: ListGroup): boolean =>
    paths.length === 1 && outline.arrays.get(paths[0]!)!.count === grid?.names.length;
  const groups = lists.filter((each) => !isColumnList(each));
  const projection = projectionOf(outline.scalars);
  if (projection !== null) {
    const detail = findingTexts.projectedPoints(projection);
    finding({ kind: 'geometry_projected', row: null, detail });
  }
  for (const [index, group] of groups.entries()) {
    const isMain = index === 0 && grid === null;
    const fault = faultOf(group, outline);
    if (fault !== null && isMain) {
      throw new FileRefused('damaged', treeRefusalTexts.jsonRecordsBroken(source.name, fault));
    }
    if (fault !== null) {
      finding({ kind: 'part_not_held', row: null, detail: fault });
      continue;
    }
    const { paths } = group;
    const keys = [...new Set([...(isMain ? outline.fields : []), ...group.keys])];
    checkWidth(keys.length, source.name, limits);
    const arrays = paths.map((path) => outline.arrays.get(path)!);
    const respelled = new Set(arrays.flatMap(({ respelledMembers }) => [...respelledMembers]));
    const renamed = arrays.flatMap((array) => [...array.renamed]);
    const names = listNames(paths);
    const columnNames =
      projection === null ? keys : keys.map((key) => projectedNames.get(key) ?? key);
    yield {
      ...table,
      ...columnsOfMembers(names === null ? columnNames : [...columnNames, '목록'], renamed),
      ...labelsOf(columnNames, outline.scalars),
      ...(groups.length === 1 && isMain ? {} : { section: sectionOf(paths) }),
      ...(isMain && groups.length > 1 ? { isMain } : {}),
      total: names === null ? totalOf(outline, paths[0]!, arrays[0]!.count) : undefined,
      batches: readRecords(
        {
          source,
          encoding,
          paths: new Set(paths),
          names,
          form: outline.form,
          flatPaths: new Set(paths.filter((path) => outline.arrays.get(path)!.isFlat)),
        },
        keys.map((name) => ({ name, keepsDigits: respelled.has(name) })),
        limits,
        finding,
      ),
    };
  }
}

/** The reason why no record of the lists can be read; null if some can. */
function faultOf({ paths, keys }: ListGroup, { arrays }: JsonOutline): BilingualText | null {
  const broken = paths.map((path) => arrays.get(path)!.firstBroken).find((one) => one !== null);
  if (keys.size > 0 || broken === undefined) return null;
  return treeRefusalTexts.jsonFault(paths[0] ?? '', broken.row, broken.reason);
}

function checkWidth(members: number, name: string, { columnsMax }: FileLimits): void {
  if (members <= columnsMax) return;
  throw new FileRefused('too_large', treeRefusalTexts.jsonTooWide(name, members, columnsMax));
}

/** Names of lists that are one table, by path: the paths without what they have in common. Null for a single list. */
function listNames(paths: readonly string[]): ReadonlyMap<string, string> | null {
  if (paths.length === 1) return null;
  const [first = ''] = paths;
  let common = 0;
  while (paths.every((path) => path[common] === first[common] && common < path.length)) common += 1;
  const start = first.lastIndexOf('.', common - 1) + 1;
  return new Map(paths.map((path) => [path, path.slice(start)]));
}

function sectionOf(paths: readonly string[]): string {
  const others = paths.length - pathsShown;
  return `${paths.slice(0, pathsShown).join(', ')}${others > 0 ? ' …' : ''}`;
}

const pathsShown = 3;

/** Labels of columns: from the `DESCRIPTION` of Seoul’s open data, in any letter case, or the aliases of ArcGIS. */
function labelsOf(
  columns: readonly string[],
  scalars: ReadonlyMap<string, string>,
): Pick<Table, 'labels'> {
  const labelByName = new Map(
    [...scalars].flatMap(([path, raw]) => {
      const name = /^(?:DESCRIPTION|fieldAliases)\.(.+)$/u.exec(path)?.[1];
      return name === undefined ? [] : [[name.toLowerCase(), raw.replace(/^"|"$/gu, '')] as const];
    }),
  );
  const labels = columns.flatMap((name) => {
    const label = labelByName.get(name.toLowerCase());
    return label === undefined || label === name || label.includes('\\')
      ? []
      : [[name, label] as const];
  });
  return labels.length === 0 ? {} : { labels: new Map(labels) };
}

/** Name of the coordinate system of GeoJSON or ArcGIS; null for degrees of WGS84, which is also the default. */
function projectionOf(scalars: ReadonlyMap<string, string>): string | null {
  const name = scalars.get('crs.properties.name') ?? scalars.get('spatialReference.wkid') ?? '4326';
  return /4326|CRS:?84/u.test(name) ? null : name.replaceAll('"', '').replace(/^(?=\d)/u, 'EPSG:');
}

/** Names of the coordinates of a point that are not degrees. */
const projectedNames: ReadonlyMap<string, string> = new Map([
  ['lon', 'x'],
  ['lat', 'y'],
]);

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
  /** Paths of the lists. */
  readonly paths: ReadonlySet<string>;
  /** Value of the last column by path, which names the list; null if there is no such column. */
  readonly names: ReadonlyMap<string, string> | null;
  readonly form: JsonOutline['form'];
  /** Paths of the lists in whose records the members of inner objects are columns. */
  readonly flatPaths: ReadonlySet<string>;
}

/** A member to be read; `keepsDigits` if all its numbers are kept as their digits. */
interface JsonMember {
  readonly name: string;
  readonly keepsDigits: boolean;
}

/** Paths of lists whose records may have a shape. */
const shapePaths = ['features', 'geometries', ''];

async function* readRecords(
  location: JsonLocation,
  columns: readonly JsonMember[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const { names } = location;
  const body = new TableBody(columns.length + (names === null ? 0 : 1), finding);
  let ordinal = 0;
  const isShape = ({ name }: JsonMember): boolean => /^geometry(?:_2)?$/u.test(name);
  const hasShapes = shapePaths.some((path) => location.paths.has(path));
  const shape = hasShapes ? columns.findLastIndex(isShape) : -1;
  const scanner = scannerOf(location.form, limits, {
    record(path, text, memberCount) {
      if (!location.paths.has(path)) return;
      ordinal += 1;
      const record = parseRecord(text, memberCount);
      if (record === null) {
        finding({ kind: 'row_unreadable', row: ordinal, detail: recordFault(text) });
        return;
      }
      if (record.mended !== null) {
        const isQuotes = record.mended === 'quotes';
        const detail = isQuotes ? findingTexts.innerQuotes() : findingTexts.jsonWords();
        finding({ kind: isQuotes ? 'quote_broken' : 'json_mended', row: ordinal, detail });
      }
      if (record.hasBrokenCharacters) {
        const detail = findingTexts.escapeUnreadable();
        finding({ kind: 'character_unreadable', row: ordinal, detail });
      }
      const members = membersOf(record, path, location.flatPaths.has(path));
      const cells = columns.map(({ name, keepsDigits }) => cellOf(members[name], keepsDigits));
      if (String(cells[shape] ?? '').length > limits.geometryUnitsMax) {
        cells[shape] = null;
        const detail = findingTexts.geometryTooLong(limits.geometryUnitsMax);
        finding({ kind: 'geometry_not_held', row: ordinal, detail });
      }
      // A footnote of a table that was converted to JSON has all members, the others empty.
      const mayBeNote = Object.keys(members).length === columns.length;
      if (names !== null) cells.push(names.get(path) ?? null);
      body.add(cells, countFilled(cells), ordinal, { mayBeNote });
    },
    scalar(path, raw) {
      if (!location.paths.has(path)) return;
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

/** Columns for the members of records; `earlier` has the names that parsing has changed already. */
function columnsOfMembers(
  names: readonly (string | null)[],
  earlier: readonly string[],
): Pick<Table, 'columns' | 'layout'> {
  const { columns, renamed } = nameColumns(names.map((name) => name?.trim() || null));
  const renamedColumns = [...new Set([...earlier, ...renamed])];
  return { columns, layout: namedLayout({ columns, renamed: renamedColumns }) };
}

async function* oneBatch(batch: Batch): AsyncIterable<Batch> {
  yield batch;
}

type DocumentTable = Pick<Table, 'columns' | 'layout' | 'total' | 'batches'>;

/** Reads a text without an array of objects: a table in another form, a single record, an error or an empty response. */
async function documentTable(
  source: ByteSource,
  encoding: Encoding,
  outline: JsonOutline,
  limits: FileLimits,
): Promise<DocumentTable> {
  const { name } = source;
  const code = scalarNamed(outline, codeNames);
  const message = scalarNamed(outline, messageNames) ?? '';
  if (code !== null && isErrorCode(code)) {
    throw portalError(name, { code, message });
  }
  const { text, isWhole } = await readTextHead(source, encoding, limits.documentUnitsMax);
  const document = isWhole ? parseRecord(text, null) : null;
  const grid = isWhole ? gridOfDocument(document?.members ?? parseArray(text), limits) : null;
  if (grid !== null) return gridTable(grid);
  const single = document === null ? null : singleRecordMembers(document.members);
  if (document !== null && single !== null) {
    const members = flatMembers(single);
    const names = Object.keys(members);
    const cells = names.map((each) => cellOf(members[each], false));
    const total = names.some(isTotalName) ? undefined : totalOf(outline, null, 1);
    const batches = oneBatch({ rows: [cells], sourceRows: [1] });
    return { ...columnsOfMembers(names, document.renamed), total, batches };
  }
  if (code !== null || isEmptyResponse(outline, document)) {
    throw new FileRefused('no_records', refusalTexts.noRecords(name));
  }
  throw new FileRefused('not_a_table', treeRefusalTexts.jsonWithoutList(name));
}

/** Rows as arrays beside a list that names their columns; null without one, and for a text past the bound. */
async function namedGrid(
  source: ByteSource,
  encoding: Encoding,
  { form, arrays }: JsonOutline,
  limits: FileLimits,
): Promise<JsonGrid | null> {
  const mayName = [...arrays.values()].every(({ count }) => count <= limits.columnsMax);
  if (form !== 'value' || !mayName || arrays.has('features')) return null;
  const { text, isWhole } = await readTextHead(source, encoding, limits.documentUnitsMax);
  if (!isWhole || !/\[\s*\[/u.test(text)) return null;
  return gridOfNamedColumns(parseRecord(text, null)?.members);
}

function gridTable({ names, rows }: JsonGrid): Pick<Table, 'columns' | 'layout' | 'batches'> {
  const sourceRows = rows.map((_, index) => index + 1);
  return { ...columnsOfMembers(names, []), batches: oneBatch({ rows, sourceRows }) };
}

function parseArray(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return null;
  }
}

/** True if a text is the envelope of a response without records: nothing is in it, or it has counts. */
function isEmptyResponse({ scalars }: JsonOutline, document: JsonRecord | null): boolean {
  if ([...scalars.keys()].some((path) => countNames.test(path))) return true;
  return document !== null && isEmptyEnvelope(document.members);
}

function isEmptyEnvelope(members: Readonly<Record<string, unknown>>): boolean {
  const envelope = envelopeIn(members);
  if (envelope === undefined) return false;
  const inner = members[envelope];
  if (isObject(inner)) return Object.keys(inner).length === 0 || isEmptyEnvelope(inner);
  return inner === null || inner === '' || (Array.isArray(inner) && inner.length === 0);
}

/** Members of a single record, which services write as an object instead of an array; null if there is none. */
function singleRecordMembers(
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  if (members['type'] === 'Feature' && isObject(members['properties']))
    return featureMembers(members);
  if (isGeometry(members)) return featureMembers({ geometry: members });
  const envelope = envelopeIn(members);
  if (envelope !== undefined) {
    const inner = members[envelope];
    if (!isObject(inner)) return null;
    const [only, ...others] = Object.values(inner);
    // The record has a name of its own, as in `msgBody.busRouteInfoItem`.
    const isNamed = others.length === 0 && isObject(only) && envelopeIn(inner) === undefined;
    return isNamed && Object.values(only).some(isScalar) ? only : singleRecordMembers(inner);
  }
  if ('header' in members || Object.keys(members).length === 0) return null;
  return Object.values(members).some(isScalar) ? members : null;
}

function envelopeIn(members: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(members);
  return envelopeNames
    .map((envelope) => names.find((name) => name.toLowerCase() === envelope))
    .find((name) => name !== undefined);
}

function isScalar(value: unknown): boolean {
  return value !== null && !isObject(value) && !Array.isArray(value);
}

const envelopeNames = ['response', 'body', 'msgbody', 'items', 'item', 'records', 'data'];
const codeNames = /(?:^|\.)(?:resultCode|returnReasonCode|RESULT\.CODE|errorCode|code)$/u;
const countNames = /(?:^|\.)(?:(?:list_?)?total_?count|numOfRows|pageNo|count)$/iu;
const messageNames =
  /(?:^|\.)(?:resultMsg|resultMessage|returnAuthMsg|RESULT\.MESSAGE|errorMessage|msg|message)$/u;

function scalarNamed({ scalars }: JsonOutline, pattern: RegExp): string | null {
  for (const [path, raw] of scalars) {
    if (pattern.test(path)) return raw.replace(/^"|"$/gu, '');
  }
  return null;
}
