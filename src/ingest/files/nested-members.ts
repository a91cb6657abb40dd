import { isObject } from './json-record.ts';

/**
 * Members of a record, with the members of objects in it as members of their own: `주소.도로명`. Lists and shapes stay as
 * they are, and so does an object whose member would get a name that the record has.
 */
export function flatMembers(members: Members): Members {
  if (!Object.values(members).some(isNested)) return members;
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const inner = isNested(value) ? Object.entries(flatMembers(value)) : [];
    const names = inner.map(([each]) => `${name}.${each}`);
    if (inner.length === 0 || names.some((each) => each in members)) flat[name] = value;
    else for (const [at, [, each]] of inner.entries()) flat[names[at]!] = each;
  }
  return flat;
}

/** Maximum number of different names in the objects of all records; more of them are probably values such as days. */
export const nestedNamesMax = 200;

type Members = Readonly<Record<string, unknown>>;

/** True for an object that has members and is not a GeoJSON geometry. */
function isNested(value: unknown): value is Members {
  if (!isObject(value) || Object.keys(value).length === 0) return false;
  return !('type' in value && ('coordinates' in value || 'geometries' in value));
}
