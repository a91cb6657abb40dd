import type { Static, TObject } from 'typebox';
import { bodyError } from './member-schemas.ts';
import {
  object,
  envelope,
  pagedEnvelope,
  recordsProperties,
  snapshotProperties,
  warnings,
  matches,
  row,
  requestedRegion,
  license,
  byType,
  catalogType,
  fieldType,
  origin,
  totalRelation,
  oneOf,
  count,
  nullable,
} from './shapes.ts';
import { Type } from './type.ts';

// Answers of the lookup service as JSON Schema. Properties may be added within a major version.

const axisItem = object({
  code: Type.String(),
  title: Type.String(),
  titleEn: nullable(Type.String()),
  type: catalogType(),
  portalId: nullable(Type.String()),
  provider: nullable(object({ name: Type.String(), code: nullable(Type.String()) })),
  rows: count(),
  fields: count(),
  keyFields: Type.Array(Type.String()),
  region: object({
    sido: nullable(Type.String()),
    sigungu: nullable(Type.String()),
    coordinates: Type.Boolean(),
  }),
  origin: origin(),
  sourceModified: nullable(Type.String()),
  collectedAt: Type.String(),
  updateCycle: nullable(Type.String()),
  freshness: oneOf(['fresh', 'due', 'stale', 'unknown']),
  license: nullable(license()),
  quality: object({
    findings: Type.Array(object({ kind: Type.String(), count: count(), since: Type.String() })),
  }),
  links: object({
    rows: Type.String(),
    fields: Type.String(),
    search: Type.String(),
    source: nullable(Type.String()),
  }),
});

/** Names of the properties of an axis in `/api/axes`, in their order. */
export const axisProperties: readonly string[] = Object.keys(axisItem.properties);

/**
 * An item of which a request can select properties, so that an answer may lack some. Its TypeScript type has all of
 * them: calls within this process never select.
 */
function selectable<Item extends TObject>(item: Item) {
  return Type.Unsafe<Static<Item>>(Type.Union([item, Type.Partial(item)]));
}

export const axesAnswer = envelope(selectable(axisItem), {
  q: Type.Optional(Type.String()),
  limit: Type.Optional(nullable(count())),
  offset: Type.Optional(count()),
  next: Type.Optional(nullable(Type.String())),
  prev: Type.Optional(nullable(Type.String())),
});

export const rowsAnswer = pagedEnvelope(row(), {
  axis: Type.String(),
  title: Type.String(),
  region: Type.Optional(requestedRegion()),
  where: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
  sort: Type.Optional(Type.String()),
  select: Type.Optional(Type.Array(Type.String())),
  fields: Type.Optional(
    Type.Array(object({ name: Type.String(), label: Type.String(), type: fieldType() })),
  ),
  meta: object({
    ...recordsProperties(),
    unread: Type.Optional(Type.Record(Type.String(), count())),
  }),
});

const fieldItem = object({
  name: Type.String(),
  label: Type.String({ minLength: 1 }),
  labelEn: nullable(Type.String()),
  labelSource: oneOf(['portal', 'standard', 'dictionary', 'header', 'inferred']),
  type: fieldType(),
  unit: nullable(Type.String()),
  position: count(),
  role: nullable(
    oneOf(['id', 'name', 'address', 'sido', 'sigungu', 'lat', 'lon', 'date', 'phone', 'code']),
  ),
  searchable: Type.Boolean(),
  stats: object({
    nonNull: count(),
    distinct: nullable(count()),
    minLength: nullable(count()),
    maxLength: nullable(count()),
    min: nullable(Type.Union([Type.Number(), Type.String()])),
    max: nullable(Type.Union([Type.Number(), Type.String()])),
    examples: Type.Array(Type.String()),
  }),
});

/** Names of the properties of a field in `/api/data/fields`, in their order. */
export const fieldProperties: readonly string[] = Object.keys(fieldItem.properties);

export const fieldsAnswer = envelope(selectable(fieldItem), {
  axis: Type.String(),
  title: Type.String(),
  schemaFingerprint: Type.String(),
});

/** The query that was searched for instead of one without results. */
function rewritten() {
  const reason = oneOf([
    'initials',
    'keyboard',
    'spacing',
    'particles',
    'fillers',
    'date',
    'phone',
    'english',
    'synonym',
    'typo',
    'words',
  ]);
  return nullable(object({ from: Type.String(), to: Type.String(), reason }));
}

const hitItem = object({
  axis: Type.String(),
  axisTitle: Type.String(),
  row: count(),
  score: Type.Number(),
  origin: origin(),
  title: nullable(Type.String()),
  /** Number of other records of the axis with the same name. */
  more: count(),
  matches: matches(),
  record: row(),
  links: object({ record: Type.String(), more: nullable(Type.String()) }),
});

/** Names of the properties of a hit in `/api/data/search`, in their order. */
export const hitProperties: readonly string[] = Object.keys(hitItem.properties);

export const searchAnswer = pagedEnvelope(selectable(hitItem), {
  q: Type.String(),
  normalized: object({
    text: Type.String(),
    terms: Type.Array(object({ text: Type.String(), phrase: Type.Boolean() })),
    mode: oneOf(['and']),
  }),
  rewritten: rewritten(),
  axis: nullable(Type.String()),
  region: Type.Optional(requestedRegion()),
  totalRelation: totalRelation(),
  datasets: Type.Array(
    object({
      axis: nullable(Type.String()),
      catalogId: nullable(Type.String()),
      title: Type.String(),
      rows: nullable(count()),
      matched: oneOf(['title', 'synonym', 'label', 'provider', 'keyword']),
      count: count(),
      links: object({
        rows: nullable(Type.String()),
        search: nullable(Type.String()),
        source: nullable(Type.String()),
      }),
    }),
  ),
  facets: object({
    axis: Type.Array(
      object({
        axis: Type.String(),
        title: Type.String(),
        count: count(),
        relation: totalRelation(),
      }),
    ),
    /** Number of axes with hits; `axis` has the first 1,000 of them. */
    axisTotal: count(),
  }),
  suggestions: Type.Array(Type.String()),
  /** `sample`: number of hits that are sample data. */
  meta: object({ ...snapshotProperties(), sample: count() }),
});

const entryItem = object({
  id: Type.String(),
  portalId: Type.String(),
  type: catalogType(),
  title: Type.String(),
  provider: nullable(Type.String()),
  category: nullable(Type.String()),
  keywords: Type.Array(Type.String()),
  description: nullable(Type.String()),
  formats: Type.Array(Type.String()),
  license: nullable(license()),
  created: nullable(Type.String()),
  modified: nullable(Type.String()),
  updateCycle: nullable(Type.String()),
  views: nullable(Type.Number()),
  requests: nullable(Type.Number()),
  held: Type.Boolean(),
  axes: Type.Array(Type.String()),
  url: nullable(Type.String()),
  score: nullable(Type.Number()),
  matches: matches(),
});

/** Names of the properties of an entry in `/api/catalog/search`, in their order. */
export const entryProperties: readonly string[] = Object.keys(entryItem.properties);

export const catalogAnswer = pagedEnvelope(selectable(entryItem), {
  /** Entries with a part of the query, if it finds only a few. */
  near: Type.Array(selectable(entryItem)),
  q: nullable(Type.String()),
  rewritten: rewritten(),
  type: nullable(catalogType()),
  totalRelation: totalRelation(),
  suggestions: Type.Array(Type.String()),
  facets: object({ type: byType(), held: object({ true: count(), false: count() }) }),
  meta: object({
    ...snapshotProperties(),
    catalogDate: nullable(Type.String()),
    catalogOrigin: nullable(origin()),
    catalogParts: Type.Array(
      object({
        part: oneOf(['list', 'api', 'linked']),
        entries: count(),
        collectedAt: Type.String(),
        /** True if the last collection of the part failed, so that its previous entries are served. */
        kept: Type.Boolean(),
      }),
    ),
  }),
});

const regionDatasetItem = object({
  axis: Type.String(),
  title: Type.String(),
  rows: count(),
  origin: origin(),
  share: Type.Number({ minimum: 0, maximum: 1 }),
  basis: Type.Array(oneOf(['field', 'code', 'address', 'coordinates'])),
  links: object({ rows: Type.String() }),
});

/** Names of the properties of a dataset in `/api/region`, in their order. */
export const regionDatasetProperties: readonly string[] = Object.keys(regionDatasetItem.properties);

export const regionAnswer = envelope(selectable(regionDatasetItem), {
  region: nullable(
    object({
      sido: object({
        code: Type.String(),
        name: Type.String(),
        short: Type.String(),
        since: nullable(Type.String()),
        formerNames: Type.Array(Type.String()),
      }),
      sigungu: nullable(
        object({ code: Type.String(), name: Type.String(), parent: Type.String() }),
      ),
      asked: requestedRegion(),
      matchedBy: oneOf(['name', 'short', 'alias', 'former_name', 'code']),
    }),
  ),
  /** The table of regions: day of its latest change, and year of its borders. */
  table: object({ latestChange: Type.String(), borders: Type.String() }),
  notices: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  /** `sample`: number of records in the region that are sample data. */
  meta: object({ ...snapshotProperties(), sample: count() }),
});

const keywordItem = object({
  rank: Type.Integer({ minimum: 1 }),
  keyword: Type.String(),
  index: nullable(Type.Number({ minimum: 0 })),
  belowResolution: Type.Boolean(),
  /** Bound on the relative error of `index`: `fine` up to 5 %, `fair` up to 15 %, `rough` above. */
  errorClass: nullable(oneOf(['fine', 'fair', 'rough'])),
  held: Type.Boolean(),
  axes: Type.Array(object({ axis: Type.String(), title: Type.String(), match: Type.String() })),
  catalog: object({ total: count(), search: Type.String() }),
});

/** Names of the properties of a keyword in `/api/demand`, in their order. */
export const keywordProperties: readonly string[] = Object.keys(keywordItem.properties);

export const demandAnswer = pagedEnvelope(selectable(keywordItem), {
  anchor: nullable(object({ keyword: Type.String(), index: Type.Literal(100) })),
  method: nullable(
    object({
      source: Type.String(),
      unit: Type.String(),
      period: object({
        from: nullable(Type.String()),
        to: nullable(Type.String()),
        timeUnit: nullable(Type.String()),
      }),
      note: Type.String(),
    }),
  ),
  /** The parameter `held` of the request. */
  held: Type.Boolean(),
});

export const statsAnswer = object({
  snapshot: object({
    id: Type.String(),
    builtAt: Type.String(),
    previous: nullable(Type.String()),
    schemaVersion: Type.Integer(),
  }),
  axes: object({
    total: count(),
    fresh: count(),
    due: count(),
    stale: count(),
    unknown: count(),
    byOrigin: object({ portal: count(), file: count(), sample: count() }),
  }),
  rows: object({ total: count(), byType: byType() }),
  fields: object({ total: count(), withKoreanLabel: count() }),
  catalog: object({ total: count(), byType: byType(), held: count() }),
  regions: object({ sido: count(), sigungu: count() }),
  demand: object({ keywords: count(), held: count(), anchor: nullable(Type.String()) }),
  index: object({ bytes: count() }),
  collectors: object({
    lastRun: nullable(Type.String()),
    succeeded: count(),
    failed: count(),
    waitingForQuota: count(),
  }),
  warnings: Type.Optional(warnings()),
});

/** The body of every problem (RFC 9457). */
export const problemAnswer = object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  code: Type.String(),
  errors: Type.Array(
    Type.Union([
      object({
        parameter: Type.String(),
        reason: Type.String(),
        value: Type.Optional(Type.String()),
        allowed: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        position: Type.Optional(count()),
        expected: Type.Optional(Type.Array(Type.String())),
        suggestions: Type.Optional(Type.Array(Type.String())),
      }),
      bodyError,
    ]),
  ),
  suggestions: Type.Optional(Type.Array(Type.String())),
  /** The requested address in UTF-8, to use instead. */
  use: Type.Optional(Type.String()),
  retryable: Type.Boolean(),
  requestId: Type.String(),
});

/** The records as a file, which has no schema. */
export const exportAnswer = Type.String();
