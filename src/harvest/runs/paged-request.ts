import type { AxisDefinition } from '../operations/definition.ts';
import { pageOf, type AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';
import type { PageFacts } from './page-facts.ts';
import { settlePages, type FetchedPage, type PageJudge } from './settle-pages.ts';

/** All pages of a request of an operation, each with the copy that counts. */
export interface PagedRequest {
  readonly pages: readonly RequestPage[];
  readonly rows: number;
  /** Rows by which the pages differ from the portal's total; 0 for a list that changed. */
  readonly mismatch: number;
  /** Lowest and highest total of a list that changed while its pages were read; null for a steady one. */
  readonly changedTotals: readonly [least: number, most: number] | null;
}

interface RequestPage {
  readonly request: AxisRequest;
  readonly copy: number;
  readonly facts: PageFacts;
}

/** Function that returns the facts of a copy of a page, or null. Copies count from 0. */
export type FetchCopy = (request: AxisRequest, copy: number) => Promise<PageFacts | null>;

/** Fetches all pages of a request, and odd ones again, until they agree with each other and with the total. */
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
  const pages = settled.map(({ copy, facts }, at) => ({
    request: pageOf(axis, first, at + 1),
    copy,
    facts,
  }));
  const rows = pages.reduce((sum, { facts }) => sum + facts.rows, 0);
  const total = votedTotal(settled);
  const totals = pages.flatMap(({ facts }) => facts.total ?? []);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  if (least < most) return { pages, rows, mismatch: 0, changedTotals: [least, most] };
  const mismatch = total === null ? 0 : Math.abs(rows - total);
  return { pages, rows, mismatch, changedTotals: null };
}

type Pages = readonly FetchedPage<PageFacts>[];

/** Takes the total that most pages state; odd are the pages that contradict it or a neighbour. */
class OperationJudge implements PageJudge<PageFacts> {
  readonly #axis: AxisDefinition;
  readonly #isKnownEmpty: boolean;

  constructor(axis: AxisDefinition, isKnownEmpty: boolean) {
    this.#axis = axis;
    this.#isKnownEmpty = isKnownEmpty;
  }

  isOdd(pages: Pages): boolean {
    return this.#isOddAt(pages, pages.length - 1, votedTotal(pages));
  }

  /** Without a total, a list ends with the first page that is not full. */
  hasNext(pages: Pages): boolean {
    if (votedTotal(pages) !== null) return false;
    const hasNext = pages.at(-1)!.facts.rows >= this.#axis.paging.pageSize;
    if (hasNext && pages.length === runLimits.pagesMax) throw this.#tooManyPages();
    return hasNext;
  }

  readonly batch = {
    /** Counts one page more than the total needs if the last page is full: a total may be one too small. */
    countPages: (pages: Pages): number => {
      const total = votedTotal(pages);
      if (total === null) return pages.length;
      const size = this.#pageSize(pages);
      if (total === 0 || size === 0) return 1;
      const count = Math.ceil(total / size) + (total % size === 0 ? 1 : 0);
      if (count > runLimits.pagesMax) throw this.#tooManyPages();
      return count;
    },

    findOdd: (pages: Pages): Pages => {
      const total = votedTotal(pages);
      if (total === null) return [];
      const others = pages.filter(({ facts }) => facts.total !== total);
      const isChanging =
        others.length > 1 &&
        pages.length > changingPagesMin &&
        others.length / pages.length > runLimits.changingShareMax &&
        others.some((page) => page.isBelieved);
      // Without a majority for one total, every page is odd.
      const hasMajority = (pages.length - others.length) * 2 > pages.length;
      const isOutvoted = ({ facts }: FetchedPage<PageFacts>): boolean =>
        others.length > 0 && !isChanging && (facts.total !== total || !hasMajority);
      return pages.filter(
        (page, at) => !page.isBelieved && (this.#isOddAt(pages, at, total) || isOutvoted(page)),
      );
    },
  };

  #isOddAt(pages: Pages, at: number, total: number | null): boolean {
    const { rows, repeatedRows, damagedRows, digest, firstDigest, lastDigest } = pages[at]!.facts;
    if (rows === 0 && at === 0) return !this.#isKnownEmpty;
    const size = this.#axis.paging.pageSize;
    if (repeatedRows > 0 || damagedRows > 0 || rows > size) return true;
    // A short first page or an impossible total would give a wrong number of pages.
    if (at === 0 && total !== null && rows < Math.min(size, total)) return true;
    if (total !== null && total > size * runLimits.pagesMax) return true;
    if (total !== null && rows !== this.#rowsExpected(pages, at, total)) return true;
    if (rows === 0) return false;
    const previous = pages[at - 1]?.facts;
    const next = pages[at + 1]?.facts;
    if (previous?.digest === digest || previous?.lastDigest === firstDigest) return true;
    return next !== undefined && next.rows > 0 && next.firstDigest === lastDigest;
  }

  #rowsExpected(pages: Pages, at: number, total: number): number {
    const size = this.#pageSize(pages);
    return Math.max(0, Math.min(size, total - at * size));
  }

  /** Rows of a full page: some services shorten a large page without notice. */
  #pageSize(pages: Pages): number {
    const { rows, total } = pages[0]!.facts;
    const requested = this.#axis.paging.pageSize;
    return total !== null && rows > 0 && rows < Math.min(requested, total) ? rows : requested;
  }

  #tooManyPages(): Error {
    const { code, path } = this.#axis;
    return new Error(
      `${code} would take more than ${runLimits.pagesMax} pages for one request: compare the total ` +
        `that ${path} counts with its page on the portal.`,
    );
  }
}

/** A list of up to this many pages never counts as changing: its odd pages are fetched again. */
const changingPagesMin = 10;

/**
 * The total that most pages state; in a tie, the first page's. If any page has rows, totals of zero do not count: a
 * service that is empty for a moment returns zero on every page.
 */
function votedTotal(pages: Pages): number | null {
  const hasRows = pages.some(({ facts }) => facts.rows > 0);
  const votes = new Map<number, number>();
  for (const { facts } of pages) {
    const { total } = facts;
    const isVote = total !== null && (total > 0 || !hasRows);
    if (isVote) votes.set(total, (votes.get(total) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  const first = pages[0]!.facts.total;
  if (first === null || votes.get(first) === most) return first;
  return [...votes].find(([, count]) => count === most)?.[0] ?? null;
}
