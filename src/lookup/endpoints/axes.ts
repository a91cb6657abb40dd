import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import type { ApiRequest } from '../serve.ts';
import { jsonType, type Document } from '../../kernel/http/result.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { jsonContent, pageLinks, snapshotMeta, warningsPart } from '../answers.ts';
import { freshnessOf } from '../../data/freshness.ts';
import { perStoreAndDay } from '../per-store.ts';
import type { Axis, StoredAxis } from '../../data/axis.ts';
import { SlicedWork } from '../store/sliced-work.ts';
import type { LookupStore } from '../store/store.ts';

/** Stored axes, by code: all of them, or a page of those that the parameters select. */
export function axes(params: AxesParams, today: string) {
  return (request: ApiRequest<LookupStore>): Promise<Document> =>
    isSelective(params) ? selectedAxes(params, request, today) : allAxes(request, today);
}

type AxesParams = RouteParameters<typeof lookupContract.axes>;

function isSelective({ q, origin, fields, select, limit, offset }: AxesParams): boolean {
  return offset > 0 || [q, origin, fields, select, limit].some((value) => value !== undefined);
}

async function selectedAxes(
  { q, origin, limit, offset }: AxesParams,
  request: ApiRequest<LookupStore>,
  today: string,
): Promise<Document> {
  const { data, warnings, isAbandoned } = request;
  const words = q === undefined ? [] : matchingText(q).split(' ');
  const selected = [...data.axes.values()].filter(
    ({ axis }) =>
      (origin === undefined || axis.origin === origin) &&
      words.every((word) => axisText(axis).includes(word)),
  );
  const total = selected.length;
  const size = limit ?? Math.max(1, total);
  const page = selected.slice(offset, offset + size);
  const items = await slicedWork.run(itemsOf(page, today), isAbandoned);
  const { next, prev, headers } = pageLinks(request, { offset, limit: size, total });
  return jsonContent(
    {
      ...(q === undefined ? {} : { q }),
      items,
      count: items.length,
      total,
      limit: limit ?? null,
      offset,
      next,
      prev,
      meta: snapshotMeta(data),
      ...warningsPart(warnings),
    },
    headers,
  );
}

function axisText({ code, title, titleEn, provider, portalId }: Axis): string {
  return matchingText([title, code, titleEn, provider?.name, portalId].join(' '));
}

/** Every stored axis. */
async function allAxes(
  { data, warnings }: ApiRequest<LookupStore>,
  today: string,
): Promise<Document> {
  const { size } = data.axes;
  const rest = JSON.stringify({
    count: size,
    total: size,
    meta: snapshotMeta(data),
    ...warningsPart(warnings),
  });
  const body = Buffer.concat([
    itemsStart,
    await itemsJson(data, today),
    Buffer.from(`,${rest.slice(1)}`),
  ]);
  return { body, type: jsonType, headers: { 'X-Total-Count': String(size) } };
}

const itemsStart = Buffer.from('{"items":');

/** JSON of all axes, written once a day. */
const itemsJson = perStoreAndDay((store, today) => slicedWork.run(writeItems(store, today)));

/** Reads the descriptions of ten thousand axes in slices, so that no other request waits for them. */
const slicedWork = new SlicedWork();

function* writeItems({ axes }: LookupStore, today: string): Generator<void, Buffer> {
  const items: string[] = [];
  for (const stored of axes.values()) {
    items.push(JSON.stringify(axisItem(stored, today)));
    yield;
  }
  return Buffer.from(`[${items.join(',')}]`);
}

function* itemsOf(axes: readonly StoredAxis[], today: string): Generator<void, AxisItem[]> {
  const items: AxisItem[] = [];
  for (const stored of axes) {
    items.push(axisItem(stored, today));
    yield;
  }
  return items;
}

type AxisItem = ReturnType<typeof axisItem>;

/** URLs of an axis; `search` is a template that lacks its `q` (RFC 6570). */
function axisLinks(code: string): { rows: string; fields: string; search: string } {
  return {
    rows: canonicalUrl(lookupContract.rows, { axis: code }),
    fields: canonicalUrl(lookupContract.fields, { axis: code }),
    search: `${lookupContract.search.path}?q={q}&axis=${code}`,
  };
}

function axisItem(stored: StoredAxis, today: string) {
  const { axis, fields, rows, hasCoordinates } = stored;
  const fieldOf = (role: string): string | null =>
    fields.find((field) => field.role === role)?.name ?? null;
  return {
    code: axis.code,
    title: axis.title,
    titleEn: axis.titleEn,
    type: axis.type,
    portalId: axis.portalId,
    provider: axis.provider,
    rows,
    fields: fields.length,
    keyFields: axis.keyFields,
    region: {
      sido: fieldOf('sido'),
      sigungu: fieldOf('sigungu'),
      coordinates: hasCoordinates,
    },
    origin: axis.origin,
    sourceModified: axis.sourceModified,
    collectedAt: axis.collectedAt,
    updateCycle: axis.updateCycle,
    freshness: freshnessOf(axis, today),
    license: axis.license,
    quality: { findings: stored.quality?.findings ?? [] },
    links: { ...axisLinks(axis.code), source: axis.sourceUrl },
  };
}
