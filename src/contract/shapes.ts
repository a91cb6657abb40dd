import { Type, type TProperties, type TSchema } from 'typebox';

/** Kinds of dataset on the portal. */
export const datasetTypes = ['API', 'FILE', 'LINKED', 'STD'] as const;

/** An object with these members; others may be added later. */
export function object<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties);
}

/** The envelope of every list. */
export function envelope(item: TSchema, extra: TProperties = {}) {
  return object({
    items: Type.Array(item),
    count: count(),
    total: count(),
    meta: object(snapshotProperties()),
    warnings: Type.Optional(warnings()),
    ...extra,
  });
}

/** The envelope of a list that is read page by page. */
export function pagedEnvelope(item: TSchema, extra: TProperties) {
  return envelope(item, {
    limit: count(),
    offset: count(),
    next: nullable(Type.String()),
    prev: nullable(Type.String()),
    ...extra,
  });
}

/** Which data the answer is made from. */
export function snapshotProperties() {
  return { snapshot: Type.String(), builtAt: Type.String() };
}

/** What was not quite as asked; absent when there is nothing to say. */
export function warnings() {
  return Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1 });
}

/** Where the terms occur: `[start, end)` in UTF-16 units of the snippet. */
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

/** A record: the source’s own field names and values. */
export function row() {
  const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
  return Type.Record(Type.String(), value);
}

/** A region as the question named it. */
export function asked() {
  return object({ sido: Type.String(), sigungu: nullable(Type.String()) });
}

/** Under which terms data may be used. */
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

/** What the values of a field look like. */
export function fieldType() {
  return oneOf(['string', 'integer', 'number', 'boolean', 'date', 'datetime']);
}

/** `sample` marks what the built-in sample portal made. */
export function origin() {
  return oneOf(['portal', 'file', 'sample']);
}

/** `gte` where the total is a lower bound. */
export function totalRelation() {
  return oneOf(['eq', 'gte']);
}

/** One of these strings. */
export function oneOf(values: readonly string[]) {
  return Type.Enum([...values]);
}

/** A number of things. */
export function count() {
  return Type.Integer({ minimum: 0 });
}

/** Or null, which says that it is not known. */
export function nullable(schema: TSchema) {
  return Type.Union([schema, Type.Null()]);
}
