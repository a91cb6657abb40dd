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
  /** ISO 8601 date, as is `modified`. */
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
  /** `sample` marks the list of the built-in sample portal, so that it is never mistaken for the portal's. */
  readonly origin: Origin;
  /** Sources of a collected catalog; absent if it was loaded from a file. */
  readonly parts?: readonly CatalogPart[];
}

/** A source of a collected catalog. */
export interface CatalogPart {
  /** `list` is the monthly file, `api` the newer meta API, `linked` the web list of LINKED datasets. */
  readonly part: 'list' | 'api' | 'linked';
  readonly entries: number;
  /** ISO 8601 date-time of the collection of these entries. */
  readonly collectedAt: string;
  /** True if these entries are from an earlier collection, because a later one failed. */
  readonly kept: boolean;
}

/** Fields of an entry that catalog search reads. The search index takes the first, the title, as the name of the entry. */
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

/** Normalised texts of an entry, for the search index; the title is the first. */
export function catalogTexts(entry: CatalogEntry): string[] {
  return catalogFields.flatMap(({ texts }) => texts(entry).map(matchingText));
}

/** Index tag of all entries of a type. */
export function typeTag(type: CatalogType): GramKey {
  return tagKey(catalogTypes.indexOf(type));
}

/** Index tag of the entries with this portal number. */
export function numberTag(portalId: string): GramKey {
  return tagKey(numberTagBase + Number(portalId));
}

/** `typeTag` and `numberTag` of an entry, as numbers. */
export function entryTags(entry: CatalogEntry): number[] {
  return [typeTag(entry.type).low, numberTag(entry.portalId).low];
}

/** True if a stored axis serves the dataset of a catalog entry. A FILE axis also serves a STD dataset of its number. */
export function servesDataset({ axis }: StoredAxis, portalId: string, type: CatalogType): boolean {
  if (axis.portalId !== portalId) return false;
  return axis.type === type || (axis.type === 'FILE' && type === 'STD');
}

const numberTagBase = 16;

/** Orders entries by the day of change, then of creation, the newest first; then by type and number, so that none are equal. */
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
