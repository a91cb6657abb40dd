import type { Row, StoredAxis } from '../../data/axis.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalidParameter, requireAxis } from '../refusals.ts';
import { pageLinks, snapshotMeta, warningsHeader, warningsPart } from '../answers.ts';
import { contentDisposition, byteOrderMark, csvHead, csvLines } from '../../data/csv.ts';
import { featureOf } from '../geojson.ts';
import { perStore } from '../per-store.ts';
import { noticesOf, unknownRegion } from './region.ts';
import type { LookupStore, Page } from '../store/store.ts';

type RowsParams = RouteParameters<typeof lookupContract.rows>;

/** Records of one axis. A JSON answer parses none of them: the store's bytes go between the brackets. */
export function rows(params: RowsParams, store: LookupStore) {
  const stored = requireAxis(params.axis, store);
  checkParameters(params, stored);
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const page = await pageOf(params, stored, request);
    const { next, prev, headers } = pageLinks(request, { ...params, total: page.total });
    if (params.format === 'json') {
      return jsonRows(params, request, stored, page, { next, prev }, headers);
    }
    const members = { next, prev, ...warningsPart(request.warnings) };
    const body = fileBody(params, stored, page, members);
    const warningHeaders = params.format === 'geojson' ? {} : warningsHeader(request.warnings);
    return fileContent(params, stored, body, { ...headers, ...warningHeaders });
  };
}

function checkParameters({ sido, sigungu, format }: RowsParams, stored: StoredAxis): void {
  if (sigungu !== undefined && sido === undefined) {
    const detail = {
      ko: 'sigungu는 sido와 함께 써야 합니다. 같은 이름의 시군구가 여러 곳에 있습니다.',
      en: 'sigungu needs sido, because several regions share a name. Add sido.',
    };
    const reason = { ko: '값이 필요합니다.', en: 'A value is required.' };
    throw new Problem('missing_parameter', detail, { errors: [{ parameter: 'sido', reason }] });
  }
  if (format === 'geojson' && !stored.hasCoordinates) {
    throw invalidParameter('format', {
      ko: '이 축에는 좌표가 없어 geojson으로 줄 수 없습니다. json, ndjson, csv를 쓰세요.',
      en: 'This axis has no coordinates: use json, ndjson or csv.',
    });
  }
}

function fileBody(
  { format, header, bom }: RowsParams,
  { fields }: StoredAxis,
  page: Page,
  members: object,
): Buffer {
  if (format === 'ndjson') return ndjsonLines(page.items);
  if (format === 'csv') {
    const text = csvHead(fields, header) + csvLines(fields, rowsOf(page));
    return Buffer.from(bom === '1' ? byteOrderMark + text : text);
  }
  const features = rowsOf(page).map((row) => featureOf(fields, row));
  const collection = { type: 'FeatureCollection', features, total: page.total, ...members };
  return Buffer.from(JSON.stringify(collection));
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

function pageOf(
  params: RowsParams,
  stored: StoredAxis,
  request: ApiRequest<LookupStore>,
): Promise<Page> | Page {
  const { axis, offset, limit, sido, sigungu } = params;
  if (sido === undefined) return request.data.page(axis, { offset, limit });
  const match = findRegion(sido, sigungu);
  if (match === null) {
    request.warnings.push(unknownRegion({ sido, sigungu }));
    return emptyPage;
  }
  request.warnings.push(...noticesOf(match, [stored]));
  return request.data.page(axis, { offset, limit, regions: [match.countedCode] });
}

function jsonRows(
  params: RowsParams,
  request: ApiRequest<LookupStore>,
  stored: StoredAxis,
  page: Page,
  links: { readonly next: string | null; readonly prev: string | null },
  headers: Record<string, string>,
): Document {
  const { sido, sigungu, limit, offset } = params;
  const frame = frames(request.data)(stored);
  const region =
    sido === undefined ? '' : `"region":${JSON.stringify({ sido, sigungu: sigungu ?? null })},`;
  const counts = `],"count":${page.count},"total":${page.total},"limit":${limit},"offset":${offset}`;
  const linksJson = `,"next":${JSON.stringify(links.next)},"prev":${JSON.stringify(links.prev)}`;
  const { warnings } = request;
  const warningsJson = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const body = Buffer.concat([
    frame.head,
    Buffer.from(`${region}"items":[`),
    page.items,
    Buffer.from(counts + linksJson),
    params.fields === '1' ? frame.fields : emptyPage.items,
    frame.meta,
    Buffer.from(`${warningsJson}}`),
  ]);
  return { body, type: lookupContract.rows.formats.json, headers };
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

function frameOf({ axis, fields }: StoredAxis, store: LookupStore): PageFrame {
  const list = fields.map(({ name, label, type }) => ({ name, label, type }));
  const meta = {
    ...snapshotMeta(store),
    sourceModified: axis.sourceModified,
    collectedAt: axis.collectedAt,
    origin: axis.origin,
    source: {
      portalId: axis.portalId,
      provider: axis.provider?.name ?? null,
      url: axis.sourceUrl,
    },
    license: axis.license,
  };
  const head = JSON.stringify({ axis: axis.code, title: axis.title });
  return {
    head: Buffer.from(`${head.slice(0, -1)},`),
    fields: Buffer.from(`,"fields":${JSON.stringify(list)}`),
    meta: Buffer.from(`,"meta":${JSON.stringify(meta)}`),
  };
}

function fileContent(
  { format, offset }: RowsParams,
  { axis }: StoredAxis,
  body: Buffer,
  headers: Record<string, string>,
): Document {
  const type = lookupContract.rows.formats[format];
  if (format !== 'csv') return { body, type, headers };
  const title = offset === 0 ? axis.title : `${axis.title} ${offset}`;
  const disposition = contentDisposition(axis.code, title, 'csv');
  return { body, type, headers: { ...headers, 'Content-Disposition': disposition } };
}
