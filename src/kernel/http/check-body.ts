import type { BilingualText } from '../../contract/language.ts';
import type { Body, BodyRow } from '../../contract/route.ts';
import { isObject } from '../json-object.ts';
import { Problem, type BodyError } from '../problem.ts';

/** Checks a body against the schema of its route. Throws 422 `validation_failed` with up to 16 faults. */
export function checkBody<Row extends BodyRow>(
  row: Row,
  body: Readonly<Record<string, unknown>>,
): Body<Row> {
  const faults: BodyError[] = [];
  if (row.body !== undefined) addFaults(faults, row.body, body, '');
  const errors = faults.slice(0, errorsMax);
  // A body without faults has the type of its schema.
  if (errors.length === 0) return body as Body<Row>;
  const detail = {
    ko: errors.map(({ message }) => message.ko).join(' '),
    en: errors.map(({ message }) => message.en).join(' '),
  };
  throw new Problem('validation_failed', detail, { errors });
}

const errorsMax = 16;

/** The parts of JSON Schema that the contracts use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-lenient'?: true;
}

function addFaults(faults: BodyError[], schema: Schema, value: unknown, pointer: string): void {
  if (!isOfType(schema, value)) {
    faults.push(faultAt(pointer, schema, value));
    return;
  }
  const { properties = {}, required = [], items } = schema;
  if (isObject(value) && schema['x-lenient'] !== true) {
    for (const name in properties) {
      if (!Object.hasOwn(value, name) && !required.includes(name)) continue;
      addFaults(faults, properties[name]!, value[name], `${pointer}/${name}`);
    }
  }
  if (!Array.isArray(value) || items === undefined) return;
  for (const [at, item] of value.entries()) addFaults(faults, items, item, `${pointer}/${at}`);
}

/** Checks a value, but not the properties of an object nor the items of a list: no `anyOf` of the contracts has any. */
function isOfType(schema: Schema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((part) => isOfType(part, value));
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if ('const' in schema) return value === schema.const;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && isOfLength(schema, value);
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value) && value.length <= (schema.maxItems ?? Infinity);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

/** Checks a length in code points, as JSON Schema counts. */
function isOfLength({ minLength = 0, maxLength }: Schema, text: string): boolean {
  if (text.length < minLength) return false;
  return maxLength === undefined || text.length <= maxLength || [...text].length <= maxLength;
}

function faultAt(pointer: string, schema: Schema, value: unknown): BodyError {
  const name = pointer.slice(1).replaceAll('/', '.');
  const accepted = acceptedValues(schema);
  return {
    pointer,
    code: 'validation_failed',
    message:
      value === undefined
        ? { ko: `${name} 값이 없습니다.`, en: `${name} is missing.` }
        : { ko: `${name} 값이 올바르지 않습니다.`, en: `${name} is not valid.` },
    fix: { ko: `보낼 값: ${accepted.ko}.`, en: `Send ${accepted.en}.` },
  };
}

/** Describes the values that a schema accepts, for the fix of an error. */
function acceptedValues(schema: Schema): BilingualText {
  const { anyOf, enum: choices, minLength = 0, maxLength, maxItems } = schema;
  if (anyOf !== undefined) {
    const parts = anyOf.map(acceptedValues);
    return {
      ko: parts.map(({ ko }) => ko).join(' 또는 '),
      en: parts.map(({ en }) => en).join(' or '),
    };
  }
  if (choices !== undefined) {
    const list = choices.join(', ');
    return { ko: `${list} 중 하나`, en: `one of ${list}` };
  }
  if ('const' in schema) return { ko: String(schema.const), en: String(schema.const) };
  const name = typeNames[schema.type ?? ''] ?? { ko: '값', en: 'a value' };
  if (maxLength !== undefined) {
    return {
      ko: `${minLength}자 이상 ${maxLength}자 이하의 ${name.ko}`,
      en: `${name.en} of ${minLength} to ${maxLength} characters`,
    };
  }
  if (maxItems !== undefined) {
    return { ko: `${maxItems}개 이하의 ${name.ko}`, en: `${name.en} of up to ${maxItems} items` };
  }
  return name;
}

const typeNames: Readonly<Record<string, BilingualText>> = {
  string: { ko: '문자열', en: 'a string' },
  number: { ko: '수', en: 'a number' },
  integer: { ko: '정수', en: 'an integer' },
  boolean: { ko: 'true 또는 false', en: 'true or false' },
  null: { ko: 'null', en: 'null' },
  array: { ko: '목록', en: 'a list' },
  object: { ko: '객체', en: 'an object' },
};
