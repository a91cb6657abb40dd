import type { Route } from '../../contract/route.ts';
import { defaultValue } from './default-value.ts';
import type { Values } from './parameters.ts';

/**
 * The canonical URL of a request: parameters in the contract's order, without defaults.
 * Requests with the same URL have the same answer.
 */
export function canonicalUrl(route: Route, values: Values): string {
  let query = '';
  let path = route.path;
  for (const name in route.parameters) {
    const parameter = route.parameters[name]!;
    const value = values[name];
    if (value === undefined) continue;
    if (parameter.kind === 'path') {
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    } else if (value !== defaultValue(parameter, values)) {
      query += `${query === '' ? '?' : '&'}${name}=${encodePart(String(value))}`;
    }
  }
  return path + query;
}

/**
 * Percent-encodes a value, its quotes too, in which programs write addresses. `encodeURIComponent` throws for lone
 * surrogates, and most values need no encoding.
 */
function encodePart(value: string): string {
  if (plainPart.test(value)) return value;
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27');
}

const plainPart = /^[\w.~-]*$/;
