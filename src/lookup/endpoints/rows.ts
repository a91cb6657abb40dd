import type { Row, StoredAxis } from '../../data/axis.ts';
import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { contentDisposition, byteOrderMark, csvHead, csvLines } from '../../data/csv.ts';
import type { CheckedParameters } from '../../kernel/http/parameters.ts';
import type { Document } from '../../kernel/http/result.ts';
import { pageLinks, warningsHeader, warningsPart } from '../answers.ts';
import { axisMeta } from '../axis-meta.ts';
import { cursorAt, positionOf } from '../cursor.ts';
import { explainFilters } from '../foreign-filters.ts';
import { fileTitle } from '../exports/file-title.ts';
import { featureJson } from '../geojson.ts';
import { perStore } from '../per-store.ts';
import { invalidParameter, requireAxis } from '../refusals.ts';
import {
  readRowsQuery,
  selectedPage,
  type RowsQuery,
  type SelectedPage,
} from '../selected-page.ts';
import { columnsOf } from '../selection.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore, Page } from '../store/store.ts';

type RowsParams = RouteParameters<typeof lookupContract.rows>;
type RowsRequest = ApiRequest<LookupStore>;

/**
 * Records of one axis. Without a condition, an order or a selection of fields, a JSON answer parses none of them: the
 * store's bytes go between the brackets.
 */
export function rows(params: RowsParams, store: LookupStore, given: CheckedParameters) {
  const stored = requireAxis(params.axis, store);
  explainFilters(given, columnsOf(stored));
  const query = readRowsQuery(params, stored);
  checkFormat(params, stored);
  checkCursor(params);
  return async (request: RowsRequest): Promise<Document> => {
    request.warnings.push(...query.warnings);
    const offset = offsetOf(params, request);
    const page = await pageOf({ ...params, offset }, query, stored, request);
    const target = params.sort === undefined ? request.target : cursorTarget(request);
    const { total } = page;
    const { next, prev, headers } = pageLinks({ target }, { offset, limit: params.limit, total });
    const links = { next, prev, offset };
    if (params.format === 'json')
      return jsonRows(params, query, request, stored, page, links, headers);
    const members = { next, prev, ...warningsPart(request.warnings) };
    const body = fileBody(params, stored, page, members);
    const warningHeaders = params.format === 'geojson' ? {} : warningsHeader(request.warnings);
    return fileContent(params, stored, body, { ...headers, ...warningHeaders });
  };
}

function checkFormat({ format }: RowsParams, stored: StoredAxis): void {
  if (format === 'geojson' && !stored.hasCoordinates) {
    throw invalidParameter('format', {
      ko: '이 축에는 좌표가 없어 geojson으로 줄 수 없습니다. json, ndjson, csv를 쓰세요.',
      en: 'This axis has no coordinates: use json, ndjson or csv.',
    });
  }
}

function checkCursor({ cursor, sort, offset }: RowsParams): void {
  if (cursor === undefined || (sort !== undefined && offset === 0)) return;
  throw invalidParameter('cursor', {
    ko: '커서는 sort와 함께, offset 없이 씁니다. next의 주소를 그대로 쓰세요.',
    en: 'A cursor needs sort and no offset. Use the address in next as it is.',
  });
}

function offsetOf({ cursor, offset }: RowsParams, request: RowsRequest): number {
  return cursor === undefined ? offset : positionOf(cursor, cursorQuery(request));
}

/** Everything that the positions of a sorted list depend on. */
function cursorQuery({ data, target }: RowsRequest): string {
  const { id, builtAt } = data.snapshot;
  const limit = lookupContract.rows.parameters.limit.default;
  return `${id} ${builtAt} ${target({ cursor: undefined, offset: 0, limit })}`;
}

/** Addresses of the pages of a sorted list, by cursor. */
function cursorTarget(request: RowsRequest): RowsRequest['target'] {
  const query = cursorQuery(request);
  return (changes = {}) => {
    const position = Number(changes['offset'] ?? 0);
    const cursor = position === 0 ? undefined : cursorAt(position, query);
    return request.target({ offset: 0, cursor });
  };
}

async function pageOf(
  { axis, offset, limit }: RowsParams,
  query: RowsQuery,
  stored: StoredAxis,
  request: RowsRequest,
): Promise<Page | SelectedPage> {
  const { selection, needsColumns } = query;
  if (selection === null) return emptyPage;
  const page = { offset, limit };
  if (needsColumns) return selectedPage(query, selection, page, stored, request);
  const { regions } = selection;
  return request.data.page(axis, { ...page, ...(regions === undefined ? {} : { regions }) });
}

function fileBody(
  { format, header, bom }: RowsParams,
  { fields }: StoredAxis,
  page: Page | SelectedPage,
  members: object,
): Buffer {
  if (format === 'ndjson') return ndjsonLines(page.items);
  if (format === 'csv') {
    const columns = 'columns' in page ? page.columns : fields;
    const text = csvHead(columns, header) + csvLines(columns, rowsOf(page));
    return Buffer.from(bom === '1' ? byteOrderMark + text : text);
  }
  // The coordinates of a record count even if `select` leaves them out.
  const whole = ('rows' in page ? page.rows : null) ?? rowsOf(page);
  const features = recordTexts(page.items).map((text, at) => featureJson(fields, whole[at]!, text));
  const tail = JSON.stringify({ total: page.total, ...members });
  return Buffer.from(
    `{"type":"FeatureCollection","features":[${features.join()}],${tail.slice(1)}`,
  );
}

/** The JSON of each record of a page; it contains no line feed of its own. */
export function recordTexts(items: Buffer): string[] {
  return items.length === 0 ? [] : items.toString().split(',\n');
}

/** The records of a page as values. */
export function rowsOf(page: Page): Row[] {
  return JSON.parse(`[${page.items.toString()}]`) as Row[];
}

/** Converts the items of a page to NDJSON; the JSON of a record contains no line feed of its own. */
export function ndjsonLines(items: Buffer): Buffer {
  if (items.length === 0) return items;
  const text = Buffer.allocUnsafe(items.length + 1);
  let written = 0;
  for (let start = 0; start < items.length;) {
    const comma = items.indexOf(separator, start);
    const end = comma < 0 ? items.length : comma;
    written += items.copy(text, written, start, end);
    text[written++] = 0x0a;
    start = end + separator.length;
  }
  return text.subarray(0, written);
}

const separator = Buffer.from(',\n');
const emptyPage: Page = { items: Buffer.alloc(0), count: 0, total: 0 };

function jsonRows(
  params: RowsParams,
  query: RowsQuery,
  request: RowsRequest,
  stored: StoredAxis,
  page: Page | SelectedPage,
  { next, prev, offset }: Readonly<Record<'next' | 'prev', string | null>> & { offset: number },
  headers: Record<string, string>,
): Document {
  const frame = frames(request.data)(stored);
  const echo = echoOf(params, query);
  const counts = `],"count":${page.count},"total":${page.total},"limit":${params.limit},"offset":${offset}`;
  const linksJson = `,"next":${JSON.stringify(next)},"prev":${JSON.stringify(prev)}`;
  const { warnings } = request;
  const warningsJson = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const body = Buffer.concat([
    frame.head,
    Buffer.from(`${echo}"items":[`),
    page.items,
    Buffer.from(counts + linksJson),
    params.fields === '1' ? fieldsJson(frame, page) : emptyPage.items,
    metaJson(frame, page),
    Buffer.from(`${warningsJson}}`),
  ]);
  return { body, type: lookupContract.rows.formats.json, headers };
}

/** Members that repeat the query, followed by a comma. */
function echoOf({ sido, sigungu, q, sort }: RowsParams, { where, fields }: RowsQuery): string {
  const echo = {
    ...(sido === undefined ? {} : { region: { sido, sigungu: sigungu ?? null } }),
    ...(where === null ? {} : { where }),
    ...(q === undefined ? {} : { q }),
    ...(sort === undefined ? {} : { sort }),
    ...(fields === null ? {} : { select: fields.map(({ name }) => name) }),
  };
  const json = JSON.stringify(echo);
  return json === '{}' ? '' : `${json.slice(1, -1)},`;
}

function fieldsJson(frame: PageFrame, page: Page | SelectedPage): Buffer {
  if (!('columns' in page)) return frame.fields;
  const list = page.columns.map(({ name, label, type }) => ({ name, label, type }));
  return Buffer.from(`,"fields":${JSON.stringify(list)}`);
}

function metaJson({ meta }: PageFrame, page: Page | SelectedPage): Buffer {
  if (!('unread' in page) || Object.keys(page.unread).length === 0) return meta;
  const unread = Buffer.from(`,"unread":${JSON.stringify(page.unread)}}`);
  return Buffer.concat([meta.subarray(0, -1), unread]);
}

/** JSON that is equal in every page of an axis, written once. */
interface PageFrame {
  readonly head: Buffer;
  readonly fields: Buffer;
  readonly meta: Buffer;
}

const frames = perStore((store) => {
  const frameByCode = new Map<string, PageFrame>();
  return (stored: StoredAxis): PageFrame => {
    let frame = frameByCode.get(stored.axis.code);
    if (frame === undefined) frameByCode.set(stored.axis.code, (frame = frameOf(stored, store)));
    return frame;
  };
});

function frameOf(stored: StoredAxis, store: LookupStore): PageFrame {
  const { axis, fields } = stored;
  const list = fields.map(({ name, label, type }) => ({ name, label, type }));
  const meta = axisMeta(stored, store);
  const head = JSON.stringify({ axis: axis.code, title: axis.title });
  return {
    head: Buffer.from(`${head.slice(0, -1)},`),
    fields: Buffer.from(`,"fields":${JSON.stringify(list)}`),
    meta: Buffer.from(`,"meta":${JSON.stringify(meta)}`),
  };
}

function fileContent(
  params: RowsParams,
  stored: StoredAxis,
  body: Buffer,
  headers: Record<string, string>,
): Document {
  const { format, offset } = params;
  const type = lookupContract.rows.formats[format];
  if (format !== 'csv') return { body, type, headers };
  const name = fileTitle(params, stored);
  const title = offset === 0 ? name : `${name} ${offset}`;
  const disposition = contentDisposition(stored.axis.code, title, 'csv');
  return { body, type, headers: { ...headers, 'Content-Disposition': disposition } };
}
