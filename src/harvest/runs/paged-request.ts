import type { AxisDefinition } from '../operations/definition.ts';
import { pageOf, type AxisRequest } from '../operations/requests.ts';
import { credibleTotal, isSamePage, OperationJudge } from './operation-judge.ts';
import type { FetchedFacts, PageFacts } from './page-facts.ts';
import { runLimits } from './limits.ts';
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
  /** Rows that are not missing from `total`, but from the highest one. */
  readonly unsure: number;
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
  const requestRows = new RequestRows(settled);
  const pages = settled.map(({ copy, facts }, at) => {
    const { rowHashes: _, ...kept } = facts;
    return { request: requestAt(at), copy, facts: kept };
  });
  const total = credibleTotal(axis, settled);
  if (total === null) return withoutTotal(axis, settled, requestRows, pages);
  const { wanted, least, most } = totalsOf(settled, total);
  const extraCopies = requestRows
    .addExtraCopies(wanted)
    .map(({ page, copy }) => ({ request: requestAt(page), copy }));
  const { distinct } = requestRows;
  const missing = Math.max(0, wanted - distinct);
  const isChanged = least < most;
  return {
    ...withoutTwins(pages, requestRows),
    extraCopies,
    total: wanted,
    missing,
    surplus: isChanged ? 0 : Math.max(0, distinct - wanted),
    changedTotals: isChanged ? [least, most] : null,
    unsure: Math.max(0, most - distinct - missing),
  };
}

/**
 * The rows that a list should have, and its lowest and highest total. A list that moves should have the lowest. If
 * totals contradict each other, that of most pages counts, else the highest: others may count one page alone.
 */
function totalsOf(
  settled: readonly FetchedPage<FetchedFacts>[],
  voted: number,
): { readonly wanted: number; readonly least: number; readonly most: number } {
  // A page beyond the end may state that there is nothing.
  const totals = settled.flatMap(({ facts }) =>
    facts.rows === 0 && facts.total === 0 && voted > 0 ? [] : (facts.total ?? []),
  );
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  if (least === most) return { wanted: voted, least, most };
  if (most - least <= most * runLimits.totalDriftMax) return { wanted: least, least, most };
  const hasMajority = totals.filter((each) => each === voted).length * 2 > totals.length;
  return { wanted: hasMajority ? voted : most, least, most };
}

/** The pages that are no page with the rows of another one, and their rows. */
function withoutTwins(
  pages: readonly RequestPage[],
  { twins }: RequestRows,
): Pick<PagedRequest, 'pages' | 'rows'> {
  const own = pages.filter((_, at) => !twins.has(at));
  return { pages: own, rows: own.reduce((sum, { facts }) => sum + facts.rows, 0) };
}

/** A list without a total ends with a page that is not full, or that has no row of its own. */
function withoutTotal(
  { paging }: AxisDefinition,
  settled: readonly FetchedPage<FetchedFacts>[],
  requestRows: RequestRows,
  fetched: readonly RequestPage[],
): PagedRequest {
  const { distinct, shared } = requestRows;
  const last = settled.at(-1)!.facts;
  const isEndRepeated = settled.length > 1 && last.rows > 0 && shared.at(-1)! >= last.rows;
  // A service that ignores the number of the page returns a short list whole, on every page.
  const isWhole = isEndRepeated && settled.length === 2 && settled[0]!.facts.rows < paging.pageSize;
  // A service that follows the number of the page up to the last one repeats that page from there on.
  const isClamped =
    settled.length > 3 && settled.slice(-3).every(({ facts }) => isSamePage(facts, last));
  const beyondEnd = isClamped ? 2 : isEndRepeated ? 1 : 0;
  const all = settled.reduce((sum, { facts }) => sum + facts.rows, 0);
  const total = isClamped ? all - 2 * last.rows : all;
  const { pages, rows } = withoutTwins(fetched.slice(0, fetched.length - beyondEnd), requestRows);
  return {
    pages,
    extraCopies: [],
    rows,
    total,
    missing: isWhole ? 0 : total - distinct,
    surplus: 0,
    changedTotals: null,
    unsure: 0,
  };
}
