import { lookupContract } from '../contract/lookup.ts';
import type { Row, StoredAxis } from '../data/axis.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import type { SearchHit } from './store/store.ts';
import { printName, printValue } from './where/print.ts';

/** Parameters of the region that a search is limited to. */
export interface SearchedPlace {
  readonly sido: string | undefined;
  readonly sigungu: string | undefined;
}

/** URL of all records with the name of a hit that stands for several; null if it stands for itself alone. */
export function sameNameTarget(
  hit: Pick<SearchHit, 'more'>,
  stored: StoredAxis,
  record: Row,
  place: SearchedPlace,
): string | null {
  const where = sameNameCondition(hit, stored, record);
  if (where === null) return null;
  return canonicalUrl(lookupContract.rows, { axis: stored.axis.code, where, ...place });
}

/** The condition for the records with the name of a hit that stands for several; null if it stands for itself alone. */
export function sameNameCondition(
  { more }: Pick<SearchHit, 'more'>,
  { fields }: StoredAxis,
  record: Row,
): string | null {
  const name = fields.find((field) => field.role === 'name')?.name;
  const value = name === undefined ? null : (record[name] ?? null);
  if (more === 0 || name === undefined || value === null) return null;
  return `${printName(name)} = ${printValue(String(value))}`;
}
