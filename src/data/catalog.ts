import { catalogTypes, type CatalogType, type HeldAxis, type License } from './axis.ts';
import { tagKey, type GramKey } from './search/gram.ts';

/** A dataset as the portal's catalog lists it. */
export interface CatalogEntry {
  /** `{TYPE}:{number}`: a number alone is not unique over types. */
  readonly id: string;
  readonly portalId: string;
  readonly type: CatalogType;
  readonly title: string;
  readonly provider: string | null;
  readonly category: string | null;
  readonly keywords: readonly string[];
  readonly description: string | null;
  readonly formats: readonly string[];
  readonly license: License | null;
  /** ISO 8601 dates. */
  readonly created: string | null;
  readonly modified: string | null;
  /** ISO 8601 duration; null for irregular or unknown. */
  readonly updateCycle: string | null;
  readonly views: number | null;
  readonly requests: number | null;
  readonly url: string | null;
}

export interface CatalogSummary {
  readonly total: number;
  readonly byType: Readonly<Record<CatalogType, number>>;
  /** ISO 8601 date of the list; null when it is not known. */
  readonly date: string | null;
}

/** The tag under which all entries of a type are found. */
export function typeTag(type: CatalogType): GramKey {
  return tagKey(catalogTypes.indexOf(type));
}

/** The tag under which the entries with a portal number are found. */
export function numberTag(portalId: string): GramKey {
  return tagKey(numberTagBase + Number(portalId));
}

/** What `typeTag` and `numberTag` of an entry are, as numbers. */
export function entryTags(entry: CatalogEntry): number[] {
  return [typeTag(entry.type).low, numberTag(entry.portalId).low];
}

/** Whether a held axis is data of a catalog entry: a standard dataset is also held as a file. */
export function isDataOf({ axis }: HeldAxis, portalId: string, type: CatalogType): boolean {
  if (axis.portalId !== portalId) return false;
  return axis.type === type || (axis.type === 'FILE' && type === 'STD');
}

const numberTagBase = 16;
