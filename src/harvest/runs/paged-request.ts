import type { AxisDefinition } from '../operations/definition.ts';
import { pageOf, type AxisRequest } from '../operations/requests.ts';
import { credibleTotal, isSamePage, OperationJudge } from './operation-judge.ts';
import type { FetchedFacts, PageFacts } from './page-facts.ts';
import { runLimits } from './limits.ts';
import { RequestRows } from './request-rows.ts';
import { settlePages, type FetchedPage } from './settle-pages.ts';

/** All pages of a request of an operation, each with the copy that is used. */
export interface PagedRequest {
  readonly pages: readonly RequestPage[];
  /** Further copies of pages that add rows, from a list without a stable order. */
  readonly extraCopies: readonly Pick<RequestPage, 'request' | 'copy'>[];
  readonly rows: number;
  /** The portal's total of the rows; the number of rows if it states none. */
  readonly total: number;
  /** Rows known to be missing. A list without a total, or with a changing one, may lack more. */
  readonly missing: number;
  /** Rows beyond the total; 0 for a list that changed. */
  readonly surplus: number;
  /** Lowest and highest total of a list that changed while its pages were read; null for any other list. */
  readonly changedTotals: readonly [least: number, most: number] | null;
  /** Further rows that are missing if the highest total is right. */
  readonly possiblyMissing: number;
}

interface RequestPage {
  readonly request: AxisRequest;
  readonly copy: number;
  readonly facts: PageFacts;
}

/** Function that returns the facts of a copy of a page; null if it has none. Copies count from 0. */
export type FetchCopy = (request: AxisRequest, copy: number) => Promise<FetchedFacts | null>;

/**
 * Fetches all pages of a request, and odd ones again, until they agree with each other and with the total. Rows that
 * are still missing are counted. `acceptsEmpty` is true if an empty first page needs no second copy.
 */
export async function settleRequest(
  axis: AxisDefinition,
  first: AxisRequest,
  fetchCopy: FetchCopy,
  acceptsEmpty: boolean,
): Promise<PagedRequest> {
  const fetchedPages = await settlePages(
    (page, copy) => fetchCopy(pageOf(axis, first, page), copy),
    new OperationJudge(axis, acceptsEmpty),
  );
  const requestAt = (at: number): AxisRequest => pageOf(axis, first, at + 1);
  const requestRows = new RequestRows(fetchedPages);
  const pages = fetchedPages.map(({ copy, facts }, at) => {
    const { rowHashes: _, ...withoutHashes } = facts;
    return { request: requestAt(at), copy, facts: withoutHashes };
  });
  const total = credibleTotal(axis, fetchedPages);
  if (total === null) return withoutTotal(axis, fetchedPages, requestRows, pages);
  const { expected, least, most } = totalsOf(fetchedPages, total);
  const extraCopies = requestRows
    .addExtraCopies(expected)
    .map(({ page, copy }) => ({ request: requestAt(page), copy }));
  const { distinct } = requestRows;
  const missing = Math.max(0, expected - distinct);
  const isChanged = least < most;
  return {
    ...withoutTwins(pages, requestRows),
    extraCopies,
    total: expected,
    missing,
    surplus: isChanged ? 0 : Math.max(0, distinct - expected),
    changedTotals: isChanged ? [least, most] : null,
    possiblyMissing: Math.max(0, most - distinct - missing),
  };
}

/**
 * The expected number of rows of a list, with its lowest and highest total. Of a list that changes, the lowest is
 * expected. If totals contradict each other, it is the total of most pages, else the highest, since a total may count a
 * single page.
 */
function totalsOf(
  fetchedPages: readonly FetchedPage<FetchedFacts>[],
  common: number,
): { readonly expected: number; readonly least: number; readonly most: number } {
  // A page beyond the end may state that there is nothing.
  const totals = fetchedPages.flatMap(({ facts }) =>
    facts.rows === 0 && facts.total === 0 && common > 0 ? [] : (facts.total ?? []),
  );
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  if (least === most) return { expected: common, least, most };
  if (most - least <= most * runLimits.totalDriftMax) return { expected: least, least, most };
  const hasMajority = totals.filter((each) => each === common).length * 2 > totals.length;
  return { expected: hasMajority ? common : most, least, most };
}

/** The pages that are not twins of an earlier page, and the number of their rows. */
function withoutTwins(
  pages: readonly RequestPage[],
  { twins }: RequestRows,
): Pick<PagedRequest, 'pages' | 'rows'> {
  const own = pages.filter((_, at) => !twins.has(at));
  return { pages: own, rows: own.reduce((sum, { facts }) => sum + facts.rows, 0) };
}

/** The result for a list without a total. Its last page is not full, or has no row of its own. */
function withoutTotal(
  { paging }: AxisDefinition,
  fetchedPages: readonly FetchedPage<FetchedFacts>[],
  requestRows: RequestRows,
  requestPages: readonly RequestPage[],
): PagedRequest {
  const { distinct, shared } = requestRows;
  const last = fetchedPages.at(-1)!.facts;
  const isEndRepeated = fetchedPages.length > 1 && last.rows > 0 && shared.at(-1)! >= last.rows;
  // A service that ignores the page number returns the whole of a short list as every page.
  const ignoresPage =
    isEndRepeated && fetchedPages.length === 2 && fetchedPages[0]!.facts.rows < paging.pageSize;
  // A service that takes every higher page number for the last one repeats the last page endlessly.
  const isClamped =
    fetchedPages.length > 3 && fetchedPages.slice(-3).every(({ facts }) => isSamePage(facts, last));
  const beyondEnd = isClamped ? 2 : isEndRepeated ? 1 : 0;
  const all = fetchedPages.reduce((sum, { facts }) => sum + facts.rows, 0);
  const total = isClamped ? all - 2 * last.rows : all;
  const { pages, rows } = withoutTwins(
    requestPages.slice(0, requestPages.length - beyondEnd),
    requestRows,
  );
  return {
    pages,
    extraCopies: [],
    rows,
    total,
    missing: ignoresPage ? 0 : total - distinct,
    surplus: 0,
    changedTotals: null,
    possiblyMissing: 0,
  };
}
