import type { Parameter } from '../../contract/route.ts';

/** Value of an absent parameter: the value of the parameter `defaultOf` if that is present, or else `default`. */
export function defaultValue(
  parameter: Parameter,
  values: Readonly<Record<string, string | number | undefined>>,
): string | number | undefined {
  if (!('default' in parameter)) return undefined;
  const other = 'defaultOf' in parameter ? values[parameter.defaultOf] : undefined;
  return other ?? parameter.default;
}
