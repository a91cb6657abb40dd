import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { countFilled } from './head-row.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { withoutPadding } from './padding.ts';
import { isErrorCode, portalError } from './portal-error.ts';
import { isTotalName, totalOfResponse } from './record-total.ts';
import { FileRefused } from './refused.ts';
import { RepeatedFields, type ParentField } from './repeated-fields.ts';
import { nameEqualSections } from './section-column.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Cell, Encoding, FindingSink, Table } from './table.ts';
import { walkXml } from './xml-reader.ts';

/**
 * Reads the records of an XML text as tables: the portal's `dataGrid`, the `items` of a response, or all repeated
 * elements. The text is read twice, so that every element of any record is a column, and once more for each further
 * table. A record inside another one, as staff in departments, repeats the fields that stand before it. A nested
 * element is named by its path (`주소_도로명`); an element that repeats inside a record becomes a JSON list. The text of
 * a record itself, as in `<region code="11">서울</region>`, has the record’s name.
 */
export async function* xmlTables(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Table> {
  const outline = await outlineXml(source, encoding, limits);
  const recordPaths = chooseRecords(source.name, outline);
  if (outline.mended > 0) {
    const detail = findingTexts.markup(outline.mended);
    finding({ kind: 'markup_broken', row: null, detail });
  }
  const tables = recordPaths.map((recordPath, index): Table => {
    const isMain = index === 0;
    const nested = recordPaths.filter((path) => isInside(path, recordPath));
    const paths = fieldPaths(outline, recordPath, isMain ? outline.fields : [], nested, limits);
    const parents = parentFields(outline, recordPath, recordPaths);
    const parentNames = parents.map(
      ({ parent, path }) => `${localName(parent)}_${withoutPrefixes(fieldName(path) ?? '')}`,
    );
    const { columns, renamed } = nameColumns([...parentNames, ...fieldNames(paths, recordPath)]);
    const { count } = outline.elements.get(recordPath)!;
    return {
      part,
      ...(recordPaths.length === 1 ? {} : { section: belowRoot(recordPath) }),
      ...(isMain && recordPaths.length > 1 ? { isMain } : {}),
      format: 'xml',
      encoding,
      columns,
      layout: namedLayout({ columns, renamed }),
      total: isMain ? totalOfResponse(outline.totals, recordPath, '/', count) : undefined,
      batches: readRecords(source, encoding, { recordPath, paths, parents }, limits, finding),
    };
  });
  yield* nameEqualSections(tables, '목록');
}

/** Path of an element without the root’s name. */
function belowRoot(path: string): string {
  return path.split('/').slice(2).join('/');
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
        if (!syntaxNames.test(name)) elementAt(`${path}/@${name}`).count += 1;
      }
    },
    close(path, text, isLeaf) {
      const element = elementAt(path);
      element.hasText ||= text.trim() !== '';
      if (!isLeaf) element.branches += 1;
      else if (path.endsWith('/fields/field')) fields.push(text.trim());
      else if (element.count > 1) return;
      else if (headerNames.test(localName(path))) header.set(localName(path), text.trim());
      else if (isTotalName(localName(path))) totals.set(path, text.trim());
    },
  });
  let step = await walk.next();
  while (step.done !== true) step = await walk.next();
  return { elements, fields, header, totals, mended: step.value };
}

const pathsMax = 20_000;
/** Attributes that belong to XML and are no data, such as `xsi:nil`. */
const syntaxNames = /^(?:xmlns|xsi:)/u;
const headerNames =
  /^(?:resultCode|resultMsg|resultMessage|returnReasonCode|returnAuthMsg|errMsg|headerCd|headerMsg)$/u;
/** Names of facts about a response, beside its header and its total. */
const factNames =
  /^(?:numOfRows|pageNo|pageIndex|pageSize|perPage|dataType|queryTime|itemCount)$/iu;

/**
 * Paths of the record elements. The main one is chosen by its name or else by the number of its occurrences; the others
 * are all elements outside of it that repeat, and those around it that repeat and have fields of their own.
 */
function chooseRecords(name: string, outline: XmlOutline): readonly string[] {
  const { header, elements } = outline;
  const gatewayCode = header.get('returnReasonCode');
  const code = gatewayCode ?? header.get('resultCode') ?? null;
  const message =
    gatewayCode === undefined
      ? (header.get('resultMsg') ?? header.get('resultMessage') ?? '')
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
        Number(isRoot(a)) - Number(isRoot(b)) ||
        nameRank(b, outline) - nameRank(a, outline) ||
        two.count - one.count ||
        a.length - b.length,
    );
  const best = candidates[0];
  if (best === undefined) {
    throw new FileRefused(
      'not_a_table',
      `${name} is XML without an element that could be a row; load it in another format.`,
    );
  }
  const isResponse = code !== null || header.has('headerCd');
  if (isResponse && nameRank(best[0], outline) === 0) {
    const isRepeated = best[1].count > 1 && valuesBelow(best[0], outline).length > 0;
    const single = isRepeated ? null : singleRecord(outline);
    if (single !== null) return [single];
    if (!isRepeated) {
      throw new FileRefused(
        'no_records',
        `${name} is a valid response with no records; request it again with other parameters.`,
      );
    }
  }
  const chosen: string[] = [];
  for (const [path, { count }] of candidates) {
    const isAround =
      chosen.some((each) => isInside(each, path)) && !hasOwnFields(path, chosen, outline);
    const isAside = path !== best[0] && (count < 2 || path.endsWith('/fields/field'));
    if (isAround || isAside || chosen.some((each) => isInside(path, each))) continue;
    chosen.push(path);
    if (chosen.length <= tablesMax) continue;
    throw new FileRefused(
      'not_a_table',
      `${name} has more than ${tablesMax} kinds of records; split it into several files.`,
    );
  }
  return chosen.map((path) => innermost(path, outline));
}

/** Maximum number of tables; the text is read once for each. */
const tablesMax = 100;

function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}/`);
}

/** True if an element around chosen records has a field beside them that is no fact of a response. */
function hasOwnFields(path: string, chosen: readonly string[], outline: XmlOutline): boolean {
  return leavesBelow(path, chosen, outline).some((leaf) => {
    const name = localName(leaf);
    return !headerNames.test(name) && !isTotalName(name);
  });
}

/** Paths of values below an element that are no facts about the response. */
function valuesBelow(path: string, outline: XmlOutline): readonly string[] {
  return leavesBelow(path, [], outline).filter(
    (leaf) =>
      (outline.elements.get(leaf)!.hasText || leaf.includes('/@')) && !isFact(localName(leaf)),
  );
}

function isFact(name: string): boolean {
  return headerNames.test(name) || isTotalName(name) || factNames.test(name);
}

/** The only record of a response, whatever its name: the first element with several values; null if there is none. */
function singleRecord(outline: XmlOutline): string | null {
  let [path = ''] = outline.elements.keys();
  const values = valuesBelow(path, outline);
  for (;;) {
    const children = new Set(values.map((value) => childTowards(value, path)));
    const [only = ''] = children;
    if (children.size !== 1 || outline.elements.get(only)!.branches === 0) {
      const hasFacts = childrenOf(path, outline).some((child) => isFact(localName(child)));
      return children.size > 1 && !hasFacts && !isRoot(path) ? path : null;
    }
    path = only;
  }
}

/** The child of an element that has, or is, the element at the path `inner`. */
function childTowards(inner: string, path: string): string {
  const end = inner.indexOf('/', path.length + 1);
  return end < 0 ? inner : inner.slice(0, end);
}

function childrenOf(path: string, { elements }: XmlOutline): string[] {
  return [...elements.keys()].filter(
    (each) => isInside(each, path) && !each.includes('/', path.length + 1),
  );
}

/** Paths of elements and attributes with text below an element, outside of the records nested in it. */
function leavesBelow(
  outer: string,
  nested: readonly string[],
  { elements }: XmlOutline,
): readonly string[] {
  return [...elements].flatMap(([path, { count, branches }]) => {
    const isNested = nested.some((each) => path === each || isInside(path, each));
    return isInside(path, outer) && branches < count && !isNested ? [path] : [];
  });
}

/** A root around repeated elements is no record, even if it is called `data`. */
function isRoot(path: string): boolean {
  return path.lastIndexOf('/') === 0;
}

/** The only child of an element without anything else, as `<facility>` in `<featureMember>`. */
function innermost(path: string, outline: XmlOutline): string {
  const { elements } = outline;
  const own = elements.get(path)!;
  const children = childrenOf(path, outline);
  const [only = ''] = children;
  const child = elements.get(only);
  if (children.length !== 1 || own.hasText || child === undefined) return path;
  const isWrapped = child.count === own.count && child.branches === own.count;
  return isWrapped ? innermost(only, outline) : path;
}

/** 1 for a name of records, or the elements that repeat in the only element of such a name; 0 for any other. */
function nameRank(path: string, outline: XmlOutline): number {
  if (isAroundRecords(path, outline)) return 0;
  const parent = path.slice(0, path.lastIndexOf('/'));
  return recordNames.test(localName(path)) || isAroundRecords(parent, outline) ? 1 : 0;
}

/** True for `<data>` around several `<list>`, without a field of its own. */
function isAroundRecords(path: string, { elements }: XmlOutline): boolean {
  if (!recordNames.test(localName(path)) || elements.get(path)?.count !== 1) return false;
  const children = [...elements].filter(
    ([each]) => isInside(each, path) && !each.includes('/', path.length + 1),
  );
  const isList = children.some(([, { count, branches }]) => count > 1 && branches > 0);
  return (
    isList && children.every(([each, { branches }]) => branches > 0 || isTotalName(localName(each)))
  );
}

const recordNames = /^(?:record|item|row|data)$/iu;

function fieldPaths(
  outline: XmlOutline,
  recordPath: string,
  declared: readonly string[],
  nested: readonly string[],
  limits: FileLimits,
): string[] {
  const paths = new Set(declared);
  for (const path of leavesBelow(recordPath, nested, outline)) {
    paths.add(path.slice(recordPath.length + 1));
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

/** Fields of the records around a record that stand before it, so that its rows can repeat them. */
function parentFields(
  outline: XmlOutline,
  recordPath: string,
  recordPaths: readonly string[],
): readonly ParentField[] {
  const order = [...outline.elements.keys()];
  const before = new Set(order.slice(0, order.indexOf(recordPath)));
  const parents = recordPaths.filter((parent) => isInside(recordPath, parent));
  return parents.flatMap((parent) => {
    const nested = recordPaths.filter((path) => isInside(path, parent));
    return leavesBelow(parent, nested, outline)
      .filter((path) => before.has(path))
      .map((path) => ({ parent, path: path.slice(parent.length + 1) }));
  });
}

/** Names of the columns: without prefixes of namespaces, unless only these distinguish them. */
function fieldNames(paths: readonly string[], recordPath: string): string[] {
  const names = paths.map((path) => fieldName(path) ?? lastName(recordPath));
  const short = names.map(withoutPrefixes);
  return names.map((name, index) => {
    const own = short[index]!;
    return own !== '' && short.indexOf(own) === short.lastIndexOf(own) ? own : name;
  });
}

function fieldName(path: string): string | null {
  return path.replaceAll('/@', '_').replace(/^@/u, '').replaceAll('/', '_') || null;
}

function withoutPrefixes(name: string): string {
  return name.replace(/(?<=^|_)[A-Za-z][\w.-]*:/gu, '');
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Name of an element without the prefix of its namespace. */
function localName(path: string): string {
  return lastName(path).replace(/^.*:/u, '');
}

/** A kind of records with the paths of its own fields. */
interface RecordKind {
  readonly recordPath: string;
  readonly paths: readonly string[];
  /** Fields that its rows repeat; their columns stand in front. */
  readonly parents: readonly ParentField[];
}

async function* readRecords(
  source: ByteSource,
  encoding: Encoding,
  { recordPath, paths, parents }: RecordKind,
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(parents.length + paths.length, finding);
  const columnByPath = new Map(
    paths.map((path, index) => [`${recordPath}/${path}`, parents.length + index]),
  );
  const repeated = new RepeatedFields(parents);
  let ordinal = 0;
  let cells: Cell[] | null = null;
  const setCell = (path: string, text: string): void => {
    const index = columnByPath.get(path);
    const value = withoutPadding(text);
    if (cells === null) repeated.set(path, value);
    else if (index !== undefined && value !== '') {
      cells[index] = appendText(cells[index] ?? null, value);
    }
  };
  const walk = walkXml(source, encoding, limits, {
    open(path, attributes) {
      repeated.open(path);
      if (path === recordPath) cells = [...repeated.cells, ...paths.map(() => null)];
      for (const [name, value] of Object.entries(attributes)) setCell(`${path}/@${name}`, value);
    },
    close(path, text) {
      if (path !== recordPath || cells === null) {
        setCell(path, text);
        return;
      }
      setCell(`${recordPath}/${ownText}`, text);
      ordinal += 1;
      const filled = countFilled(parents.length === 0 ? cells : cells.slice(parents.length));
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
