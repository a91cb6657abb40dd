import type { TObject } from 'typebox';

/**
 * Converts arguments as models write them to the types of a tool: drops nulls, reads numbers and booleans from strings, and
 * makes a list of a single string. Other values stay unchanged; the schema then refuses them.
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
