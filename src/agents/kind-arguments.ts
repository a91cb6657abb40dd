import type { TObject } from 'typebox';

/**
 * Arguments as models write them, in the types of a tool: null for an absent one, a number or a truth value as a text,
 * one text for a list. What has no such reading stays, so that it is refused.
 */
export function readKindly(
  { properties }: TObject,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(
    values.map(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, typeof value === 'string' ? readText(typeOf(schema), value) : value];
    }),
  );
}

function typeOf(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : null;
}

function readText(type: unknown, text: string): unknown {
  switch (type) {
    case 'integer':
      return /^\d{1,9}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return [text];
    default:
      return text;
  }
}
