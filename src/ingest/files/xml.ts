import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { countFilled } from './head-row.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { withoutPadding } from './padding.ts';
import { totalOfResponse } from './record-total.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { RepeatedFields, type ParentField } from './repeated-fields.ts';
import { nameEqualSections } from './section-column.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Cell, Encoding, FindingSink, Table } from './table.ts';
import {
  isInside,
  lastName,
  leavesBelow,
  localName,
  outlineXml,
  type XmlOutline,
} from './xml-outline.ts';
import { walkXml } from './xml-reader.ts';
import { chooseRecords } from './xml-records.ts';

/**
 * Reads the records of an XML text as tables: the portal's `dataGrid`, the `items` of a response, or all repeated
 * elements. The text is read twice: first for the names of all elements, which become the columns, then for the records;
 * once more for each further table. The row of a record inside another one, as staff in departments, also has the outer
 * record’s fields that stand before it. A nested element is named by its path (`주소_도로명`); an element that repeats
 * inside a record becomes a JSON list. The text of a record itself, as in `<region code="11">서울</region>`, becomes a
 * column with the record’s name.
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
    throw new FileRefused('too_large', treeRefusalTexts.xmlTooWide(paths.size, limits.columnsMax));
  }
  return [...paths];
}

/** Relative path of a record’s own text. */
const ownText = '';

/** Fields of the outer records that stand before a record, so that its rows can repeat them. */
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

/** Names of the columns: without prefixes of namespaces, unless only the prefixes distinguish two names. */
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
  return name.replace(/(?<=^|_)[A-Za-z][\w.-]{0,100}:/gu, '');
}

/** A kind of records with the paths of its own fields. */
interface RecordKind {
  readonly recordPath: string;
  readonly paths: readonly string[];
  /** Fields of outer records, which the rows repeat; their columns stand in front. */
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
