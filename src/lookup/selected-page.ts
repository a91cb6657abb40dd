import type { Field, Row, StoredAxis } from '../data/axis.ts';
import type { SelectQuery, SortTerm } from '../data/columns/select-records.ts';
import type { Selection } from '../data/columns/selection.ts';
import {
  readSelection,
  columnsOf,
  type RequestedSelection,
  type SelectionParams,
} from './selection.ts';
import {
  readAddedFields,
  selectedFields,
  shownFields,
  type AddedFields,
  type ShownField,
} from './shown-fields.ts';
import type { ApiRequest } from './serve.ts';
import { readShownRecords } from './shown-records.ts';
import type { LookupStore, Page } from './store/store.ts';
import { parseList } from './where/terms.ts';

interface RowsQueryParams extends SelectionParams {
  readonly select?: string | undefined;
  readonly sort?: string | undefined;
  readonly sample?: number | undefined;
  readonly seed: number;
  readonly with?: string | undefined;
}

/** A checked query of the records of an axis. */
export interface RowsQuery extends RequestedSelection {
  readonly sort: readonly SortTerm[];
  readonly sample: { readonly size: number; readonly seed: number } | null;
  /** Null for all fields. */
  readonly fields: readonly Field[] | null;
  readonly added: AddedFields;
  /** False if a page of the axis, or of a region, answers it. */
  readonly needsColumns: boolean;
}

export interface SelectedPage extends Page {
  readonly unread: Readonly<Record<string, number>>;
  /** Whole records, for geometries; null if the items are whole. */
  readonly rows: readonly Row[] | null;
  readonly columns: readonly ShownField[];
}

/** Reads a query of records. Throws 400 for a fault. */
export function readRowsQuery(params: RowsQueryParams, stored: StoredAxis): RowsQuery {
  const selected = readSelection(params, stored);
  const sort = readSort(params.sort, stored);
  const sample = params.sample === undefined ? null : { size: params.sample, seed: params.seed };
  const fields = selectedFields(params.select, stored);
  const added = { ...readAddedFields(params.with), hasDistance: params.near !== undefined };
  const { where, near, bbox, q, with: list } = params;
  const isAnyGiven = [where, near, bbox, q, list].some((one) => one !== undefined);
  const needsColumns = isAnyGiven || fields !== null || sort.length > 0 || sample !== null;
  return { ...selected, sort, sample, fields, added, needsColumns };
}

/** A page of the records that a query selects, in the form in which they are shown. */
export async function selectedPage(
  query: RowsQuery,
  selection: Selection,
  page: { readonly offset: number; readonly limit: number },
  stored: StoredAxis,
  { data: store, isAbandoned }: Pick<ApiRequest<LookupStore>, 'data' | 'isAbandoned'>,
): Promise<SelectedPage> {
  const found = await store.select(
    stored.axis.code,
    { ...selectedParts(query, selection), ...page },
    isAbandoned,
  );
  const records = readShownRecords(query, found, stored, store);
  return {
    items: records.items(),
    count: found.rows.length,
    total: found.total,
    unread: found.unread,
    rows: records.isWhole ? null : records.wholeRows(),
    columns: shownColumns(query, stored),
  };
}

/** Everything that decides which records a query selects, and their order. */
export function selectedParts(
  { sort, sample }: RowsQuery,
  selection: Selection,
): Omit<SelectQuery, 'offset' | 'limit'> {
  return {
    ...selection,
    ...(sort.length === 0 ? {} : { sort }),
    ...(sample === null ? {} : { sample }),
  };
}

/** Columns of the records of a query. */
export function shownColumns(query: RowsQuery, stored: Pick<StoredAxis, 'fields'>): ShownField[] {
  return shownFields(query, stored);
}

function readSort(sort: string | undefined, stored: StoredAxis): SortTerm[] {
  if (sort === undefined) return [];
  const options = { parameter: 'sort', itemsMax: sortTermsMax, isSort: true } as const;
  return parseList(sort, options).map(({ name, isDescending }) => ({
    column: columnsOf(stored).find(name, 'sort').name,
    isDescending,
  }));
}

const sortTermsMax = 3;
