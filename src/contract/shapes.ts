import type { TEnum, TProperties, TSchema } from 'typebox';
import { Type } from './type.ts';

/** Kinds of dataset on the portal. */
export const datasetTypes = ['API', 'FILE', 'LINKED', 'STD'] as const;

/** An object with these properties; others may be added later. */
export function object<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties);
}

/** The envelope of every list. */
export function envelope<Item extends TSchema, Extra extends TProperties = {}>(
  item: Item,
  extra?: Extra,
) {
  return object({
    items: Type.Array(item),
    count: count(),
    total: count(),
    meta: object(snapshotProperties()),
    warnings: Type.Optional(warnings()),
    ...(extra as Extra),
  });
}

/** The envelope of a list that is read page by page. */
export function pagedEnvelope<Item extends TSchema, Extra extends TProperties>(
  item: Item,
  extra: Extra,
) {
  return envelope(item, {
    limit: count(),
    offset: count(),
    next: nullable(Type.String()),
    prev: nullable(Type.String()),
    ...extra,
  });
}

/** Identity of the data that the answer is made from. */
export function snapshotProperties() {
  return { snapshot: Type.String(), builtAt: Type.String() };
}

/** Identity of the data of an axis, and its source. */
export function recordsProperties() {
  return {
    ...snapshotProperties(),
    sourceModified: nullable(Type.String()),
    collectedAt: Type.String(),
    origin: origin(),
    source: object({
      portalId: nullable(Type.String()),
      provider: nullable(Type.String()),
      url: nullable(Type.String()),
    }),
    license: nullable(license()),
  };
}

/** Warnings of an answer; absent if there are none. */
export function warnings() {
  return Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1 });
}

/** Occurrences of the terms: `[start, end)` in UTF-16 units of the snippet. */
export function matches() {
  return Type.Array(
    object({
      field: Type.String(),
      label: Type.String(),
      snippet: Type.String(),
      ranges: Type.Array(Type.Array(count(), { minItems: 2, maxItems: 2 })),
    }),
  );
}

/** A record, with the field names and values of its source. */
export function row() {
  const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
  return Type.Record(Type.String(), value);
}

/** A region as the request named it. */
export function requestedRegion() {
  return object({ sido: Type.String(), sigungu: nullable(Type.String()) });
}

/** Licence under which data may be used. */
export function license() {
  return object({ id: Type.String(), name: Type.String(), url: nullable(Type.String()) });
}

/** A count for each kind of dataset. */
export function byType() {
  return object({ API: count(), FILE: count(), LINKED: count(), STD: count() });
}

/** One kind of dataset. */
export function catalogType() {
  return oneOf(datasetTypes);
}

/** Type of a field's values. */
export function fieldType() {
  return oneOf(['string', 'integer', 'number', 'boolean', 'date', 'datetime']);
}

/** Origin of data; `sample` is the built-in sample portal. */
export function origin() {
  return oneOf(['portal', 'file', 'sample']);
}

/** Relation of the real total to the given one: `gte` if the given one is a lower bound. */
export function totalRelation() {
  return oneOf(['eq', 'gte']);
}

/** One of these strings. */
export function oneOf<const Values extends string[]>(values: readonly [...Values]): TEnum<Values> {
  return Type.Enum([...values]);
}

/** A number of things. */
export function count() {
  return Type.Integer({ minimum: 0 });
}

/** A value, or null if it is unknown. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** An object whose properties are not described. */
export const anyObject = Type.Record(Type.String(), Type.Unknown());

/**
 * A body that its rule checks instead of the schema: the rule drops parts with a warning and refuses with codes of
 * its own.
 */
export function lenient(properties: TProperties) {
  return Type.Unsafe<Readonly<Record<string, unknown>>>({
    ...Type.Object(properties),
    'x-lenient': true,
  });
}
