import {
  catalogTypes,
  type CatalogType,
  type StoredAxis,
  type License,
  type Origin,
} from './axis.ts';
import { matchingText } from './korean/normalise.ts';
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
  /**
   * `sample` marks the list of the built-in sample portal, so that it is never mistaken for the portal's.
   */
  readonly origin: Origin;
  /** Sources it was collected from; absent for a catalog that was loaded from a file. */
  readonly parts?: readonly CatalogPart[];
}

/** A source of a collected catalog. */
export interface CatalogPart {
  /** The monthly list file, the meta API that is newer than it, the web list that alone has LINKED. */
  readonly part: 'list' | 'api' | 'linked';
  readonly entries: number;
  /** ISO 8601 date-time of the collection these entries are from. */
  readonly collectedAt: string;
  /** True where a later collection failed, so that the last good entries stayed. */
  readonly kept: boolean;
}

/** Fields of an entry that catalog search reads, the title first: it counts as the name. */
export const catalogFields: readonly CatalogField[] = [
  { name: 'title', label: '제목', texts: ({ title }) => [title] },
  { name: 'provider', label: '제공기관', texts: ({ provider }) => [provider ?? ''] },
  { name: 'category', label: '분류', texts: ({ category }) => [category ?? ''] },
  { name: 'keywords', label: '키워드', texts: ({ keywords }) => keywords },
  { name: 'description', label: '설명', texts: ({ description }) => [description ?? ''] },
  { name: 'portalId', label: '번호', texts: ({ portalId }) => [portalId] },
];

interface CatalogField {
  readonly name: keyof CatalogEntry;
  readonly label: string;
  readonly texts: (entry: CatalogEntry) => readonly string[];
}

/** The texts of an entry as search reads them, normalised, the title first. */
export function catalogTexts(entry: CatalogEntry): string[] {
  return catalogFields.flatMap(({ texts }) => texts(entry).map(matchingText));
}

/** The tag under which all entries of a type are found. */
export function typeTag(type: CatalogType): GramKey {
  return tagKey(catalogTypes.indexOf(type));
}

/** The tag under which the entries with a portal number are found. */
export function numberTag(portalId: string): GramKey {
  return tagKey(numberTagBase + Number(portalId));
}

/** `typeTag` and `numberTag` of an entry, as numbers. */
export function entryTags(entry: CatalogEntry): number[] {
  return [typeTag(entry.type).low, numberTag(entry.portalId).low];
}

/**
 * True if a stored axis has the data of a catalog entry: a standard dataset is also stored as a file.
 */
export function isDataOf({ axis }: StoredAxis, portalId: string, type: CatalogType): boolean {
  if (axis.portalId !== portalId) return false;
  return axis.type === type || (axis.type === 'FILE' && type === 'STD');
}

const numberTagBase = 16;

/** By the day of change, then of creation; entries of one day by type and number, so that the order is one. */
export function newestFirst(a: CatalogEntry, b: CatalogEntry): number {
  return (
    descending(a.modified ?? a.created ?? '', b.modified ?? b.created ?? '') ||
    descending(a.created ?? '', b.created ?? '') ||
    catalogTypes.indexOf(a.type) - catalogTypes.indexOf(b.type) ||
    Number(b.portalId) - Number(a.portalId)
  );
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
