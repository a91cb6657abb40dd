import type { Row, StoredAxis } from '../../data/axis.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { lookupContract } from '../../contract/lookup.ts';
import type { Params } from '../../contract/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalidParameter, requireAxis } from '../refusals.ts';
import { pageLinks, snapshotMeta, warningsHeader, warningsPart } from '../answers.ts';
import { attachment, byteOrderMark, csvHead, csvLines } from '../csv.ts';
import { featureOf } from '../geojson.ts';
import { perStore } from '../per-store.ts';
import { noticesOf, unknownRegion } from './region.ts';
import type { LookupStore, Page } from '../store/store.ts';

type RowsParams = Params<typeof lookupContract.rows>;

/** Records of one axis. Rows are never parsed for JSON: the store's bytes go between the brackets. */
export function rows(params: RowsParams, store: LookupStore) {
  const stored = requireAxis(params.axis, store);
  refuseUnanswerable(params, stored);
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const page = await pageOf(params, stored, request);
    const { next, prev, headers } = pageLinks(request, { ...params, total: page.total });
    if (params.format === 'json') {
      return jsonRows(params, request, stored, page, { next, prev }, headers);
    }
    const around = { next, prev, ...warningsPart(request.warnings) };
    const body = fileBody(params, stored, page, around);
    const warned = params.format === 'geojson' ? {} : warningsHeader(request.warnings);
    return fileContent(params, stored, body, { ...headers, ...warned });
  };
}

function refuseUnanswerable({ sido, sigungu, format }: RowsParams, stored: StoredAxis): void {
  if (sigungu !== undefined && sido === undefined) {
    const detail = {
      ko: 'sigungu는 sido와 함께 써야 합니다. 같은 이름의 시군구가 여러 곳에 있습니다.',
      en: 'sigungu needs sido: several regions share a name.',
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
  around: object,
): Buffer {
  if (format === 'ndjson') return lines(page.items);
  if (format === 'csv') {
    const text = csvHead(fields, header) + csvLines(fields, rowsOf(page));
    return Buffer.from(bom === '1' ? byteOrderMark + text : text);
  }
  const features = rowsOf(page).map((row) => featureOf(fields, row));
  const collection = { type: 'FeatureCollection', features, total: page.total, ...around };
  return Buffer.from(JSON.stringify(collection));
}

/** The records of a page as values. */
export function rowsOf(page: Page): Row[] {
  return JSON.parse(`[${page.items.toString()}]`) as Row[];
}

/** A record a line, each with its line feed: a line feed never occurs inside a record's JSON. */
export function lines(items: Buffer): Buffer {
  if (items.length === 0) return items;
  const out = Buffer.allocUnsafe(items.length + 1);
  let written = 0;
  for (let start = 0; start < items.length;) {
    const comma = items.indexOf(separator, start);
    const end = comma < 0 ? items.length : comma;
    written += items.copy(out, written, start, end);
    out[written++] = 0x0a;
    start = end + separator.length;
  }
  return out.subarray(0, written);
}

const separator = Buffer.from(',\n');
const nothing: Page = { items: Buffer.alloc(0), count: 0, total: 0 };

function pageOf(
  params: RowsParams,
  stored: StoredAxis,
  request: ApiRequest<LookupStore>,
): Promise<Page> | Page {
  const { axis, offset, limit, sido, sigungu } = params;
  if (sido === undefined) return request.data.page(axis, { offset, limit });
  const found = findRegion(sido, sigungu);
  if (found === null) {
    request.warnings.push(unknownRegion({ sido, sigungu }));
    return nothing;
  }
  request.warnings.push(...noticesOf(found, [stored]));
  return request.data.page(axis, { offset, limit, regions: [found.countedCode] });
}

function jsonRows(
  params: RowsParams,
  request: ApiRequest<LookupStore>,
  held: StoredAxis,
  page: Page,
  links: { readonly next: string | null; readonly prev: string | null },
  headers: Record<string, string>,
): Document {
  const { sido, sigungu, limit, offset } = params;
  const frame = frames(request.data)(held);
  const region =
    sido === undefined ? '' : `"region":${JSON.stringify({ sido, sigungu: sigungu ?? null })},`;
  const counts = `],"count":${page.count},"total":${page.total},"limit":${limit},"offset":${offset}`;
  const around = `,"next":${JSON.stringify(links.next)},"prev":${JSON.stringify(links.prev)}`;
  const { warnings } = request;
  const warned = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const body = Buffer.concat([
    frame.head,
    Buffer.from(`${region}"items":[`),
    page.items,
    Buffer.from(counts + around),
    params.fields === '1' ? frame.fields : nothing.items,
    frame.meta,
    Buffer.from(`${warned}}`),
  ]);
  return { body, type: lookupContract.rows.formats.json, headers };
}

/** Parts that are equal in every page of an axis, written once. */
interface Frame {
  readonly head: Buffer;
  readonly fields: Buffer;
  readonly meta: Buffer;
}

const frames = perStore((store) => {
  const made = new Map<string, Frame>();
  return (held: StoredAxis): Frame => {
    let frame = made.get(held.axis.code);
    if (frame === undefined) made.set(held.axis.code, (frame = frameOf(held, store)));
    return frame;
  };
});

function frameOf({ axis, fields }: StoredAxis, store: LookupStore): Frame {
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
  const disposition = attachment(axis.code, title, 'csv');
  return { body, type, headers: { ...headers, 'Content-Disposition': disposition } };
}
