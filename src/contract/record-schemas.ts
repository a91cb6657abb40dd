import {
  count,
  fieldType,
  nullable,
  object,
  pagedEnvelope,
  recordsProperties,
  row,
  snapshotProperties,
  totalRelation,
  warnings,
} from './shapes.ts';
import { Type } from './type.ts';

/** Changes of an axis. Paging runs over all of them: the added records, then the changed, then the removed ones. */
export const changesAnswer = object({
  axis: Type.String(),
  title: Type.String(),
  since: nullable(Type.String()),
  added: Type.Array(row()),
  changed: Type.Array(object({ id: Type.String(), before: row(), after: row() })),
  removed: Type.Array(row()),
  totals: object({ added: count(), changed: count(), removed: count() }),
  count: count(),
  total: count(),
  limit: count(),
  offset: count(),
  next: nullable(Type.String()),
  prev: nullable(Type.String()),
  meta: object(snapshotProperties()),
  warnings: Type.Optional(warnings()),
});

export const valuesAnswer = pagedEnvelope(
  object({
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
    count: count(),
  }),
  {
    axis: Type.String(),
    title: Type.String(),
    field: object({ name: Type.String(), label: Type.String(), type: Type.String() }),
    where: Type.Optional(Type.String()),
    regions: Type.Optional(regionNames()),
    nulls: count(),
    unread: unread(),
  },
);

export const groupsAnswer = pagedEnvelope(row(), {
  axis: Type.String(),
  title: Type.String(),
  by: Type.Array(Type.String()),
  agg: Type.Array(Type.String()),
  where: Type.Optional(Type.String()),
  having: Type.Optional(Type.String()),
  sort: Type.Optional(Type.String()),
  regions: Type.Optional(regionNames()),
  /** Number of groups before `having` and before the limit of 10,000. */
  groups: count(),
  groupsRelation: totalRelation(),
  truncated: Type.Boolean(),
  totalRows: count(),
  unread: unread(),
});

export const recordAnswer = object({
  axis: Type.String(),
  title: Type.String(),
  id: Type.String(),
  name: nullable(Type.String()),
  record: row(),
  fields: Type.Array(
    object({
      name: Type.String(),
      label: Type.String(),
      type: fieldType(),
      unit: nullable(Type.String()),
    }),
  ),
  region: object({ sido: nullable(region()), sigungu: nullable(region()) }),
  /** True if the record is a total or subtotal of the source. */
  isTotal: Type.Boolean(),
  citation: Type.String(),
  links: object({ self: Type.String(), rows: Type.String(), source: nullable(Type.String()) }),
  meta: object({
    ...recordsProperties(),
  }),
  warnings: Type.Optional(warnings()),
});

/** Number of values that cannot be read as the type of their field, by field. */
function unread() {
  return Type.Record(Type.String(), count());
}

/** Full names of the regions in the answer, by code. */
function regionNames() {
  return Type.Record(Type.String(), Type.String());
}

function region() {
  return object({ code: Type.String(), name: Type.String() });
}
