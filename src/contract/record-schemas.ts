import { Type } from 'typebox';
import { count, nullable, object, row, snapshotProperties, warnings } from './shapes.ts';

/** Changes of an axis; the three lists are pages of one list, in this order. */
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
