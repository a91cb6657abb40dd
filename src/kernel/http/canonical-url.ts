import type { Endpoint } from '../../contract/endpoint.ts';
import type { Values } from './parameters.ts';

/**
 * The canonical address of a question: parameters in the contract's order, defaults left out.
 * Two questions with one address have one answer.
 */
export function canonicalUrl(endpoint: Endpoint, values: Values): string {
  let query = '';
  let path = endpoint.path;
  for (const name in endpoint.parameters) {
    const parameter = endpoint.parameters[name]!;
    const value = values[name];
    if (value === undefined) continue;
    if (parameter.kind === 'text' && parameter.in === 'path') {
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    } else if (parameter.kind === 'text' || value !== parameter.default) {
      query += `${query === '' ? '?' : '&'}${name}=${encodePart(String(value))}`;
    }
  }
  return path + query;
}

/** `encodeURIComponent` for well-formed text only, and most values need nothing. */
function encodePart(value: string): string {
  return plainPart.test(value) ? value : encodeURIComponent(value.toWellFormed());
}

const plainPart = /^[\w.~-]*$/;
