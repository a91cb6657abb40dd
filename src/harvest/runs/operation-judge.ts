import type { AxisDefinition } from '../operations/definition.ts';
import { runLimits } from './limits.ts';
import type { FetchedFacts } from './page-facts.ts';
import { RequestRows } from './request-rows.ts';
import { RowOwners } from './row-owners.ts';
import type { FetchedPage, PageJudge } from './settle-pages.ts';

type Pages = readonly FetchedPage<FetchedFacts>[];

/**
 * Judges the pages of an operation by the total that most of them state: odd are a page that contradicts it, and,
 * while rows are missing, pages that have rows of another page.
 */
export class OperationJudge implements PageJudge<FetchedFacts> {
  readonly #axis: AxisDefinition;
  readonly #isKnownEmpty: boolean;
  /** The rows so far of a list without a total. */
  readonly #seen = new RowOwners();

  constructor(axis: AxisDefinition, isKnownEmpty: boolean) {
    this.#axis = axis;
    this.#isKnownEmpty = isKnownEmpty;
  }

  isOdd(pages: Pages): boolean {
    const at = pages.length - 1;
    if (this.#isOddAt(pages, at, votedTotal(pages))) return true;
    if (at === 0) return false;
    const { rows, rowHashes } = pages[at]!.facts;
    return rows < this.#fullRows(pages) || this.#seen.hasSome(rowHashes);
  }

  /**
   * Without a total, a list ends with the first page that is shorter than the one before it or has no new row. After
   * a short first page with a round number of rows another one is fetched: some services cut pages without notice.
   */
  hasNext(pages: Pages): boolean {
    if (votedTotal(pages) !== null) return false;
    const { rows, rowHashes } = pages.at(-1)!.facts;
    const added = this.#seen.addAll(rowHashes, pages.length - 1);
    const mayBeCut = pages.length > 1 || rows >= this.#axis.paging.pageSize || rows % cutStep === 0;
    const hasNext = added > 0 && rows >= this.#fullRows(pages) && mayBeCut;
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
      const isOutvoted = ({ facts }: FetchedPage<FetchedFacts>): boolean =>
        others.length > 0 && !isChanging && (facts.total !== total || !hasMajority);
      const repeated = new Set(isChanging ? [] : repeatedPages(pages, total));
      return pages.filter(
        (page, at) =>
          !page.isBelieved &&
          (this.#isOddAt(pages, at, total) || isOutvoted(page) || repeated.has(page)),
      );
    },
  };

  /** True for a page that is odd by itself or contradicts the total. */
  #isOddAt(pages: Pages, at: number, total: number | null): boolean {
    const { rows, repeatedRows, damagedRows, total: ownTotal } = pages[at]!.facts;
    if (rows === 0 && at === 0) return !this.#isKnownEmpty;
    if (rows > 0 && ownTotal === 0) return true;
    const size = this.#axis.paging.pageSize;
    if (repeatedRows > 0 || damagedRows > 0 || rows > size) return true;
    if (total === null) return false;
    // A short first page or an impossible total would give a wrong number of pages.
    if (at === 0 && rows < Math.min(size, total)) return true;
    return total > size * runLimits.pagesMax || rows !== this.#rowsExpected(pages, at, total);
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

  /** Rows of a full page of a list without a total. */
  #fullRows(pages: Pages): number {
    return Math.min(this.#axis.paging.pageSize, pages[0]!.facts.rows);
  }

  #tooManyPages(): Error {
    const { code, path } = this.#axis;
    return new Error(
      `${code} would take more than ${runLimits.pagesMax} pages for one request: compare the total ` +
        `that ${path} counts with its page on the portal.`,
    );
  }
}

/**
 * Pages that have rows of other pages while rows are missing. Pages without a row of their own come first. Of the
 * others only a few are fetched again while all copies are equal: some sources list a row twice.
 */
function repeatedPages(pages: Pages, total: number): Pages {
  const rows = new RequestRows(pages);
  rows.addExtraCopies(total);
  if (rows.distinct >= total) return [];
  const isWhole = (at: number): boolean => rows.shared[at]! >= pages[at]!.facts.rows;
  const shared = pages.filter((_, at) => rows.shared[at]! > 0);
  const whole = pages.filter((_, at) => rows.shared[at]! > 0 && isWhole(at));
  const hasOrder = shared.every(({ copies }) =>
    copies.every((copy) => copy.digest === copies[0]!.digest),
  );
  const partial = shared.filter((page) => !whole.includes(page));
  if (!hasOrder) return shared;
  const comparedCount = partial.filter(({ isBelieved }) => isBelieved).length;
  const others = partial.filter(({ isBelieved }) => !isBelieved);
  return [...whole, ...others.slice(0, Math.max(0, runLimits.repeatsComparedMax - comparedCount))];
}

/** Services cut their pages to a round number of rows; a single record is no page that was cut. */
const cutStep = 5;

/** A list of up to this many pages never counts as changing: its odd pages are fetched again. */
const changingPagesMin = 10;

/**
 * The total that most pages state; in a tie, the first page's. If any page has rows, totals of zero do not count: a
 * service that is empty for a moment returns zero on every page.
 */
export function votedTotal(pages: Pages): number | null {
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
