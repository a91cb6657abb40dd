import type { AxisDefinition } from '../operations/definition.ts';
import { pageOf, type AxisRequest } from '../operations/requests.ts';
import { OperationJudge, votedTotal } from './operation-judge.ts';
import type { FetchedFacts, PageFacts } from './page-facts.ts';
import { RequestRows } from './request-rows.ts';
import { settlePages, type FetchedPage } from './settle-pages.ts';

/** All pages of a request of an operation, each with the copy that counts. */
export interface PagedRequest {
  readonly pages: readonly RequestPage[];
  /** Further copies of pages, in a list without a steady order: their rows that no page has belong to it. */
  readonly extraCopies: readonly Pick<RequestPage, 'request' | 'copy'>[];
  readonly rows: number;
  /** The portal's total of the rows; the number of rows if it states none. */
  readonly total: number;
  /** Rows that are missing from the total; of a list without a total or with a changing one, those known of. */
  readonly missing: number;
  /** Rows beyond the total; 0 for a list that changed. */
  readonly surplus: number;
  /** Lowest and highest total of a list that changed while its pages were read; null for a steady one. */
  readonly changedTotals: readonly [least: number, most: number] | null;
}

interface RequestPage {
  readonly request: AxisRequest;
  readonly copy: number;
  readonly facts: PageFacts;
}

/** Function that returns the facts of a copy of a page, or null. Copies count from 0. */
export type FetchCopy = (request: AxisRequest, copy: number) => Promise<FetchedFacts | null>;

/**
 * Fetches all pages of a request, and odd ones again, until they agree with each other and with the total. Rows that
 * are still missing are counted, and never replaced by rows of another page.
 */
export async function settleRequest(
  axis: AxisDefinition,
  first: AxisRequest,
  fetchCopy: FetchCopy,
  isKnownEmpty: boolean,
): Promise<PagedRequest> {
  const settled = await settlePages(
    (page, copy) => fetchCopy(pageOf(axis, first, page), copy),
    new OperationJudge(axis, isKnownEmpty),
  );
  const requestAt = (at: number): AxisRequest => pageOf(axis, first, at + 1);
  const pages = settled.map(({ copy, facts }, at) => {
    const { rowHashes: _, ...kept } = facts;
    return { request: requestAt(at), copy, facts: kept };
  });
  const rows = pages.reduce((sum, { facts }) => sum + facts.rows, 0);
  const total = votedTotal(settled);
  if (total === null) return withoutTotal(axis, settled, { pages, rows });
  const totals = settled.flatMap(({ facts }) => facts.total ?? []);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const isChanged = least < most;
  const requestRows = new RequestRows(settled);
  const wanted = isChanged ? least : total;
  const extraCopies = requestRows
    .addExtraCopies(wanted)
    .map(({ page, copy }) => ({ request: requestAt(page), copy }));
  const { distinct } = requestRows;
  return {
    pages,
    extraCopies,
    rows,
    total: wanted,
    missing: Math.max(0, wanted - distinct),
    surplus: isChanged ? 0 : Math.max(0, distinct - wanted),
    changedTotals: isChanged ? [least, most] : null,
  };
}

/** A list without a total ends with a page that is not full, or that has no row of its own. */
function withoutTotal(
  { paging }: AxisDefinition,
  settled: readonly FetchedPage<FetchedFacts>[],
  { pages, rows }: Pick<PagedRequest, 'pages' | 'rows'>,
): PagedRequest {
  const { distinct, shared } = new RequestRows(settled);
  const { facts: first } = settled[0]!;
  const { facts: last } = settled.at(-1)!;
  const isEndRepeated = settled.length > 1 && last.rows > 0 && shared.at(-1)! >= last.rows;
  // A service that ignores the number of the page returns a short list whole, on every page.
  const isWhole = isEndRepeated && settled.length === 2 && first.rows < paging.pageSize;
  return {
    pages: isEndRepeated ? pages.slice(0, -1) : pages,
    extraCopies: [],
    rows: isEndRepeated ? rows - last.rows : rows,
    total: rows,
    missing: isWhole ? 0 : rows - distinct,
    surplus: 0,
    changedTotals: null,
  };
}
