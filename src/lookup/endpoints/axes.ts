import { lookupContract } from '../../contract/lookup.ts';
import type { ApiRequest } from '../serve.ts';
import { jsonType, type Document } from '../../kernel/http/result.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { snapshotMeta, warningsPart } from '../answers.ts';
import { freshnessOf } from '../freshness.ts';
import { perStoreAndDay } from '../per-store.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { LookupStore } from '../store/store.ts';

/** Every stored axis, by code. */
export function axesAnswer({ data, warnings }: ApiRequest<LookupStore>, today: string): Document {
  const { size } = data.axes;
  const rest = JSON.stringify({
    count: size,
    total: size,
    meta: snapshotMeta(data),
    ...warningsPart(warnings),
  });
  const body = Buffer.concat([
    itemsStart,
    itemsJson(data, today),
    Buffer.from(`,${rest.slice(1)}`),
  ]);
  return { body, type: jsonType, headers: { 'X-Total-Count': String(size) } };
}

const itemsStart = Buffer.from('{"items":');

/** JSON of the several hundred axes, written once a day. */
const itemsJson = perStoreAndDay((store, today) => {
  const items = [...store.axes.values()].map((stored) => axisItem(stored, today));
  return Buffer.from(JSON.stringify(items));
});

/** URLs of an axis; `search` is a template that lacks its `q` (RFC 6570). */
function axisLinks(code: string): { rows: string; fields: string; search: string } {
  return {
    rows: canonicalUrl(lookupContract.rows, { axis: code }),
    fields: canonicalUrl(lookupContract.fields, { axis: code }),
    search: `${lookupContract.search.path}?q={q}&axis=${code}`,
  };
}

function axisItem(stored: StoredAxis, today: string): object {
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
