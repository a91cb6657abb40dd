import type { Parameter } from '../../contract/route.ts';

/** Value of a parameter that is not given, which may be that of another one. */
export function defaultValue(
  parameter: Parameter,
  values: Readonly<Record<string, string | number | undefined>>,
): string | number | undefined {
  if (!('default' in parameter)) return undefined;
  const other = 'defaultOf' in parameter ? values[parameter.defaultOf] : undefined;
  return other ?? parameter.default;
}
