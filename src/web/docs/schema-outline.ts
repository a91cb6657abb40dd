/** A JSON schema in short form, one property a line: `{ items: { code: string }[]  total: integer }`. */
export function schemaOutline(schema: object, indent = ''): string {
  const { type, properties, patternProperties, items, const: constant, ...rest } = schema as Schema;
  const choices = rest.anyOf ?? rest.enum?.map((value) => ({ const: value }));
  if (constant !== undefined) return JSON.stringify(constant);
  if (choices !== undefined) {
    return choices.map((choice) => schemaOutline(choice, indent)).join(' | ');
  }
  if (rest.allOf !== undefined) {
    return rest.allOf.map((part) => schemaOutline(part, indent)).join(' & ');
  }
  if (items !== undefined) return `${addBrackets(schemaOutline(items, indent))}[]`;
  if (properties !== undefined) return objectOutline(properties, rest.required ?? [], indent);
  if (patternProperties !== undefined) {
    const [value = {}] = Object.values(patternProperties);
    return `{ [name]: ${schemaOutline(value, indent)} }`;
  }
  return type ?? 'any';
}

function objectOutline(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
  indent: string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, value]) =>
      `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaOutline(value, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** Puts brackets around `a | b`, which needs them before `[]`. */
function addBrackets(outline: string): string {
  return /^[\w"]+( \| [\w"]+)+$/.test(outline) ? `(${outline})` : outline;
}

/** The part of JSON Schema that the contracts use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly patternProperties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly items?: object;
  readonly anyOf?: readonly object[];
  readonly allOf?: readonly object[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}
