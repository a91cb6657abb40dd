import type { Parameter } from '../../contract/route.ts';

/** Value of an absent parameter: that of the parameter `defaultOf`, if it is given, or else `default`. */
export function defaultValue(
  parameter: Parameter,
  values: Readonly<Record<string, string | number | undefined>>,
): string | number | undefined {
  if (!('default' in parameter)) return undefined;
  const other = 'defaultOf' in parameter ? values[parameter.defaultOf] : undefined;
  return other ?? parameter.default;
}
