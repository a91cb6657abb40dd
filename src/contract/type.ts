import type { Type as TypeBox } from 'typebox';

/**
 * Builders of JSON Schema with the types of TypeBox and without its code: its 373 modules take 130 ms of processor to
 * load, half of the start of a command. A test compares what both build.
 */
export const Type = {
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Intersect: (schemas: readonly Schema[], options?: Options) => ({ allOf: schemas, ...options }),
  Literal: (value: unknown, options?: Options) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object: objectOf,
  Optional: optional,
  Partial: ({ properties }: { readonly properties: Properties }) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, optional(one)])),
    ),
  Record: (_key: Schema, value: Schema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Union: (schemas: readonly Schema[], options?: Options) => ({ anyOf: schemas, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
  // The types of TypeBox describe these functions: they are called as its own.
} as unknown as Pick<typeof TypeBox, Builder>;

type Builder =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Intersect'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe';

type Schema = Readonly<Record<string, unknown>>;
type Options = Schema;
type Properties = Readonly<Record<string, Schema>>;

/** Schemas of properties that an object may lack. A mark in the schema itself would be published. */
const optionals = new WeakSet<Schema>();

function optional(schema: Schema): Schema {
  const marked = { ...schema };
  optionals.add(marked);
  return marked;
}

function objectOf(properties: Properties, options?: Options): Schema {
  const required = Object.keys(properties).filter((name) => !optionals.has(properties[name]!));
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
    ...options,
  };
}
