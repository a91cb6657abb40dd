import { lookupContract } from '../contract/lookup.ts';
import type { Row, StoredAxis } from '../data/axis.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import type { SearchHit } from './store/store.ts';
import { printName, printValue } from './where/print.ts';

/** URL of all records with the name of a hit that stands for several; null if it stands for itself alone. */
export function sameNameTarget(
  { more }: Pick<SearchHit, 'more'>,
  { axis, fields }: StoredAxis,
  record: Row,
): string | null {
  const name = fields.find((field) => field.role === 'name')?.name;
  const value = name === undefined ? null : (record[name] ?? null);
  if (more === 0 || name === undefined || value === null) return null;
  const where = `${printName(name)} = ${printValue(String(value))}`;
  return canonicalUrl(lookupContract.rows, { axis: axis.code, where });
}
