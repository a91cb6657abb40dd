import { nameColumns } from './column-names.ts';
import { countFilled } from './header-rows.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { isErrorCode, portalError } from './portal-error.ts';
import { isTotalName, totalOfResponse } from './record-total.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Cell, Encoding, FindingSink, Table } from './table.ts';
import { walkXml } from './xml-reader.ts';

/**
 * Reads the records of an XML text as a table: the portal's `dataGrid`, the `items` of a response, or any repeated
 * element. The text is read twice, so that every element of any record is a column. A nested element is named by its
 * path (`주소_도로명`); an element that repeats inside a record becomes a JSON list. The text of a record itself, as in
 * `<region code="11">서울</region>`, has the record’s name.
 */
export async function xmlTable(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
): Promise<Table> {
  const outline = await outlineXml(source, encoding, limits);
  const recordPath = chooseRecord(source.name, outline);
  const paths = fieldPaths(outline, recordPath, limits);
  const { columns, renamed } = nameColumns(
    paths.map((path) => fieldName(path) ?? lastName(recordPath)),
  );
  if (outline.mended > 0) {
    const detail = findingTexts.markup(outline.mended);
    finding({ kind: 'markup_broken', row: null, detail });
  }
  const units = columns.map(() => null);
  return {
    part,
    format: 'xml',
    encoding,
    columns,
    layout: { titleLines: [], headerRows: 0, units, renamedColumns: renamed },
    total: totalOfResponse(
      outline.totals,
      recordPath,
      '/',
      outline.elements.get(recordPath)!.count,
    ),
    batches: readRecords(source, encoding, recordPath, paths, limits, finding),
  };
}

interface ElementCount {
  count: number;
  /** Number of occurrences with child elements. */
  branches: number;
  /** True if an occurrence has text of its own. */
  hasText: boolean;
}

interface XmlOutline {
  /** Every path from the root, attributes as `/@name`, in order of first appearance. */
  readonly elements: ReadonlyMap<string, ElementCount>;
  /** Names in the portal's `fields`, in their order. */
  readonly fields: readonly string[];
  /** Code and message in the header of the response, by element name. */
  readonly header: ReadonlyMap<string, string>;
  /** Declared numbers of records, by path. */
  readonly totals: ReadonlyMap<string, string>;
  readonly mended: number;
}

async function outlineXml(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
): Promise<XmlOutline> {
  const elements = new Map<string, ElementCount>();
  const fields: string[] = [];
  const header = new Map<string, string>();
  const totals = new Map<string, string>();
  const elementAt = (path: string): ElementCount => {
    const element = elements.get(path) ?? { count: 0, branches: 0, hasText: false };
    elements.set(path, element);
    if (elements.size > pathsMax) {
      throw new FileRefused(
        'not_a_table',
        `${source.name} is XML without a table: no element repeats. Load it in another format.`,
      );
    }
    return element;
  };
  const walk = walkXml(source, encoding, limits, {
    open(path, attributes) {
      elementAt(path).count += 1;
      for (const name of Object.keys(attributes)) {
        if (!name.startsWith('xmlns')) elementAt(`${path}/@${name}`).count += 1;
      }
    },
    close(path, text, isLeaf) {
      const element = elementAt(path);
      element.hasText ||= text.trim() !== '';
      if (!isLeaf) element.branches += 1;
      else if (path.endsWith('/fields/field')) fields.push(text.trim());
      else if (element.count > 1) return;
      else if (headerNames.test(path)) header.set(lastName(path), text.trim());
      else if (isTotalName(lastName(path))) totals.set(path, text.trim());
    },
  });
  let step = await walk.next();
  while (step.done !== true) step = await walk.next();
  return { elements, fields, header, totals, mended: step.value };
}

const pathsMax = 20_000;
const headerNames = /\/(?:resultCode|resultMsg|returnReasonCode|returnAuthMsg|errMsg)$/u;

/** Path of the record element, chosen by its name or else by the number of its occurrences. */
function chooseRecord(name: string, outline: XmlOutline): string {
  const { header, elements } = outline;
  const gatewayCode = header.get('returnReasonCode');
  const code = gatewayCode ?? header.get('resultCode') ?? null;
  const message =
    gatewayCode === undefined
      ? (header.get('resultMsg') ?? '')
      : [header.get('errMsg'), header.get('returnAuthMsg')].filter(Boolean).join(', ');
  if (code !== null && isErrorCode(code)) {
    throw portalError(name, { code, message });
  }
  const isRow = ([path, { count, branches }]: [string, ElementCount]): boolean =>
    branches > 0 || (count > 1 && [...elements.keys()].some((key) => key.startsWith(`${path}/@`)));
  const candidates = [...elements]
    .filter(isRow)
    .sort(
      ([a, one], [b, two]) =>
        nameRank(b) - nameRank(a) || two.count - one.count || a.length - b.length,
    );
  const best = candidates[0];
  if (best === undefined) {
    throw new FileRefused(
      'not_a_table',
      `${name} is XML without an element that could be a row; load it in another format.`,
    );
  }
  if (code !== null && nameRank(best[0]) === 0) {
    throw new FileRefused(
      'no_records',
      `${name} is a valid response with no records; request it again with other parameters.`,
    );
  }
  return best[0];
}

function nameRank(path: string): number {
  return recordNames.test(path) ? 1 : 0;
}

const recordNames = /\/(?:record|item|row|Row|ROW|RECORD|data)$/u;

function fieldPaths(outline: XmlOutline, recordPath: string, limits: FileLimits): string[] {
  const paths = new Set(outline.fields);
  for (const [path, { count, branches }] of outline.elements) {
    const isBelow = path.startsWith(`${recordPath}/`) && branches < count;
    if (isBelow) paths.add(path.slice(recordPath.length + 1));
  }
  if (outline.elements.get(recordPath)?.hasText === true) paths.add(ownText);
  if (paths.size > limits.columnsMax) {
    throw new FileRefused(
      'too_large',
      `A record has ${paths.size} different elements, more than ${limits.columnsMax}.`,
    );
  }
  return [...paths];
}

/** Relative path of a record’s own text. */
const ownText = '';

function fieldName(path: string): string | null {
  return path.replaceAll('/@', '_').replace(/^@/u, '').replaceAll('/', '_') || null;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function* readRecords(
  source: ByteSource,
  encoding: Encoding,
  recordPath: string,
  paths: readonly string[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(paths.length, finding);
  const columnByPath = new Map(paths.map((path, index) => [`${recordPath}/${path}`, index]));
  let ordinal = 0;
  let cells: Cell[] | null = null;
  const setCell = (path: string, text: string): void => {
    const index = columnByPath.get(path);
    const value = text.trim();
    if (cells === null || index === undefined || value === '') return;
    cells[index] = appendText(cells[index] ?? null, value);
  };
  const walk = walkXml(source, encoding, limits, {
    open(path, attributes) {
      if (path === recordPath) cells = paths.map(() => null);
      if (cells === null) return;
      for (const [name, value] of Object.entries(attributes)) setCell(`${path}/@${name}`, value);
    },
    close(path, text) {
      if (path !== recordPath || cells === null) {
        setCell(path, text);
        return;
      }
      setCell(`${recordPath}/${ownText}`, text);
      ordinal += 1;
      const filled = countFilled(cells);
      body.add(cells, filled, ordinal);
      cells = null;
    },
  });
  for await (const _ of walk) if (body.isFull) yield body.takeBatch();
  yield body.endBatch();
}

/** Joins several texts of the same column in a JSON list. */
function appendText(before: Cell, value: string): string {
  if (before === null) return value;
  const list: unknown = String(before).startsWith('["') ? JSON.parse(String(before)) : [before];
  return JSON.stringify([...(Array.isArray(list) ? (list as unknown[]) : [before]), value]);
}
