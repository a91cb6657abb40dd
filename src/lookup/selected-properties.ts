import type { Route } from '../contract/route.ts';
import type { Values } from '../kernel/http/parameters.ts';
import { jsonType, type Result } from '../kernel/http/result.ts';
import { invalidParameter } from './refusals.ts';

/** The properties of items that a request names; null for all. Throws 400 for one that items do not have. */
export function selectedProperties(route: Route, values: Values): readonly string[] | null {
  for (const parameter in route.parameters) {
    const value = values[parameter];
    const row = route.parameters[parameter]!;
    if (value === undefined || !('properties' in row)) continue;
    return readProperties(parameter, String(value), row.properties);
  }
  return null;
}

function readProperties(parameter: string, list: string, known: readonly string[]): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => known.includes(name))) return names;
  const reason = {
    ko: `이런 항목은 없습니다. 쓸 수 있는 항목: ${known.join(', ')}.`,
    en: `Items have no such property. Choose from ${known.join(', ')}.`,
  };
  throw invalidParameter(parameter, reason);
}

type Item = Readonly<Record<string, unknown>>;

/** A JSON answer whose items have only these properties, in this order. */
export function withProperties(result: Result, properties: readonly string[]): Result {
  if (!('body' in result) || result.body === null || result.type !== jsonType) return result;
  // The answers of the lookup service that have items are objects with a list of objects.
  const answer = JSON.parse(result.body.toString()) as {
    readonly items: readonly Item[];
    readonly near?: readonly Item[];
  };
  const select = (item: Item): Item =>
    Object.fromEntries(properties.map((name) => [name, item[name]]));
  const selected = {
    ...answer,
    items: answer.items.map(select),
    ...(answer.near === undefined ? {} : { near: answer.near.map(select) }),
  };
  return { ...result, body: Buffer.from(JSON.stringify(selected)) };
}
