import type { AxisDefinition } from '../operations/definition.ts';
import { runLimits } from './limits.ts';
import type { FetchedFacts, PageFacts } from './page-facts.ts';
import { RequestRows } from './request-rows.ts';
import { RowOwners } from './row-owners.ts';
import type { FetchedPage, PageJudge } from './settle-pages.ts';

type Pages = readonly FetchedPage<FetchedFacts>[];

/**
 * Judges the pages of an operation by the total that most of them state. A page is odd if it contradicts that total
 * or, while rows are missing, if it has rows of another page.
 */
export class OperationJudge implements PageJudge<FetchedFacts> {
  readonly #axis: AxisDefinition;
  readonly #acceptsEmpty: boolean;
  /** Rows so far of a list without a total, and the key digests of its pages. */
  readonly #seen = new RowOwners();
  readonly #seenKeys = new Set<string>();
  /** True once a full page of new rows was found beyond the total. */
  #isTotalDisproved = false;

  /** `acceptsEmpty` is true if an empty first page needs no second copy. */
  constructor(axis: AxisDefinition, acceptsEmpty: boolean) {
    this.#axis = axis;
    this.#acceptsEmpty = acceptsEmpty;
  }

  isOdd(pages: Pages): boolean {
    const at = pages.length - 1;
    if (this.#isOddAt(pages, at, this.#total(pages))) return true;
    if (at === 0) return false;
    const { rows, rowHashes } = pages[at]!.facts;
    return rows < this.#fullPageRows(pages) || this.#seen.hasSome(rowHashes);
  }

  /**
   * Without a total, a list ends with the first page that is not full or has no new row. A page that repeats the one
   * before it may be the end or a wrong page, so the next page decides. A short first page with a round number of rows
   * is followed by another page, since some services shorten pages without notice.
   */
  hasNext(pages: Pages): boolean {
    if (this.#total(pages) !== null && !this.#disproveTotal(pages)) return false;
    const { rows, rowHashes, keyDigest } = pages.at(-1)!.facts;
    const hasSeenKeys = keyDigest !== null && this.#seenKeys.has(keyDigest);
    if (keyDigest !== null) this.#seenKeys.add(keyDigest);
    const added = hasSeenKeys ? 0 : this.#seen.addAll(rowHashes, pages.length - 1);
    const mayBeCut = pages.length > 1 || rows >= this.#axis.paging.pageSize || rows % cutStep === 0;
    const isFull = rows >= this.#fullPageRows(pages) && mayBeCut;
    const hasNext = isFull && (added > 0 || isRepeatedOnce(pages));
    if (hasNext && pages.length === runLimits.pagesMax) throw this.#tooManyPages();
    return hasNext;
  }

  readonly batch = {
    /** Counts one page more than the total needs if the last page is full: a total may be one too small. */
    countPages: (pages: Pages): number => {
      const total = this.#total(pages);
      if (total === null || hasEnded(pages)) return pages.length;
      const size = this.#pageSize(pages);
      if (total === 0 || size === 0) return 1;
      const count = Math.ceil(total / size) + (total % size === 0 ? 1 : 0);
      // Pages that have rows of their own stay, whatever the total.
      return pages.length > count ? Math.max(count, countWithRows(pages)) : count;
    },

    isBeyondEnd: (pages: Pages): boolean =>
      pages.length >= runLimits.pageGroupMin && pages.every(isEmpty),

    findOdd: (pages: Pages): Pages => {
      const total = this.#total(pages);
      if (total === null) return [];
      const outvoted = pages.filter(({ facts }) => facts.total !== total);
      const isChanging =
        outvoted.length > 1 &&
        pages.length > changingPagesMin &&
        outvoted.length / pages.length > runLimits.changingShareMax &&
        outvoted.some((page) => page.isAccepted);
      // If no total has a majority, every page is odd.
      const hasMajority = (pages.length - outvoted.length) * 2 > pages.length;
      const contradictsTotal = ({ facts }: FetchedPage<FetchedFacts>): boolean =>
        outvoted.length > 0 && !isChanging && (facts.total !== total || !hasMajority);
      const repeated = new Set(isChanging ? [] : repeatedPages(pages, total));
      return pages.filter(
        (page, at) =>
          !page.isAccepted &&
          (this.#isOddAt(pages, at, total) || contradictsTotal(page) || repeated.has(page)),
      );
    },
  };

  /** Total that decides the number of pages; null without a credible one. */
  #total(pages: Pages): number | null {
    return this.#isTotalDisproved ? null : credibleTotal(this.#axis, pages);
  }

  /**
   * Disproves the total if the last page is full of new rows and reaches beyond it, since some services count only up
   * to a bound. Further pages are then fetched one by one.
   */
  #disproveTotal(pages: Pages): boolean {
    const last = pages.at(-1)!.facts;
    const size = this.#pageSize(pages);
    if (last.rows < size || pages.length * size <= (this.#total(pages) ?? 0)) return false;
    if (pages.length > 1 && new RequestRows(pages).shared.at(-1)! >= last.rows) return false;
    this.#isTotalDisproved = true;
    for (const [at, { facts }] of pages.slice(0, -1).entries()) {
      this.#seen.addAll(facts.rowHashes, at);
      if (facts.keyDigest !== null) this.#seenKeys.add(facts.keyDigest);
    }
    return true;
  }

  /** True for a page that is odd without a comparison with other pages, or that contradicts the total. */
  #isOddAt(pages: Pages, at: number, total: number | null): boolean {
    const { rows, repeatedRows, damagedRows, total: ownTotal } = pages[at]!.facts;
    if (rows === 0 && at === 0) return !this.#acceptsEmpty;
    if (rows > 0 && ownTotal === 0) return true;
    const size = this.#axis.paging.pageSize;
    if (repeatedRows > 0 || damagedRows > 0 || rows > size) return true;
    // A short first page or an impossible total would give a wrong number of pages.
    if (at === 0 && ownTotal !== null && credibleTotal(this.#axis, pages) === null) return true;
    if (total === null) return false;
    if (at === 0 && rows < Math.min(size, total)) return true;
    return rows !== this.#rowsExpected(pages, at, total);
  }

  #rowsExpected(pages: Pages, at: number, total: number): number {
    const size = this.#pageSize(pages);
    return Math.max(0, Math.min(size, total - at * size));
  }

  /** Rows of a full page: some services shorten a large page without notice. */
  #pageSize(pages: Pages): number {
    return pageSizeOf(this.#axis, pages);
  }

  /** Rows of a full page of a list without a total. */
  #fullPageRows(pages: Pages): number {
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
 * Returns the pages to fetch again because they share rows with other pages while rows are missing. All such pages are
 * returned if the copies of one of them differ. If not, those without any row of their own and a few others are, since
 * some sources list rows twice.
 */
function repeatedPages(pages: Pages, total: number): Pages {
  const rows = new RequestRows(pages);
  rows.addExtraCopies(total);
  if (rows.distinct >= total) return [];
  const hasOwnRow = (at: number): boolean => rows.shared[at]! < pages[at]!.facts.rows;
  const sharing = pages.filter((_, at) => rows.shared[at]! > 0);
  const withoutOwnRow = pages.filter((_, at) => rows.shared[at]! > 0 && !hasOwnRow(at));
  const areCopiesEqual = sharing.every(({ copies }) =>
    copies.every((copy) => copy.digest === copies[0]!.digest),
  );
  if (!areCopiesEqual) return sharing;
  const withOwnRow = sharing.filter((page) => !withoutOwnRow.includes(page));
  const acceptedCount = withOwnRow.filter(({ isAccepted }) => isAccepted).length;
  const others = withOwnRow.filter(({ isAccepted }) => !isAccepted);
  const othersMax = Math.max(0, runLimits.repeatsComparedMax - acceptedCount);
  return [...withoutOwnRow, ...others.slice(0, othersMax)];
}

/** A page whose number of rows is a multiple of this may be shortened: services choose round numbers. */
const cutStep = 5;

/** A list of up to this many pages never counts as changing: its odd pages are fetched again. */
const changingPagesMin = 10;

/** The common total of the pages; null if they state none, or if it needs more than `pagesMax` pages. */
export function credibleTotal(axis: AxisDefinition, pages: Pages): number | null {
  const total = commonTotal(pages);
  const isImpossible = total !== null && total > pageSizeOf(axis, pages) * runLimits.pagesMax;
  return isImpossible ? null : total;
}

function pageSizeOf({ paging }: AxisDefinition, pages: Pages): number {
  const { rows, total } = pages[0]!.facts;
  const requested = paging.pageSize;
  return total !== null && rows > 0 && rows < Math.min(requested, total) ? rows : requested;
}

/** True if a list ended before its total: its last pages, a whole group, are empty in two equal copies each. */
function hasEnded(pages: Pages): boolean {
  const last = pages.slice(-runLimits.pageGroupMin);
  return (
    last.length === runLimits.pageGroupMin &&
    pages.length > last.length &&
    last.every((page) => isEmpty(page) && page.isAccepted)
  );
}

/** True if the last page repeats the one before it, which does not repeat its own predecessor. */
function isRepeatedOnce(pages: Pages): boolean {
  const [first, second, last] = pages.slice(-3).map(({ facts }) => facts);
  if (first === undefined || second === undefined || last === undefined) return false;
  return isSamePage(second, last) && !isSamePage(first, second);
}

/** True for pages with the same rows, or with the same keys. */
export function isSamePage(a: PageFacts, b: PageFacts): boolean {
  return a.digest === b.digest || (a.keyDigest !== null && a.keyDigest === b.keyDigest);
}

/** Number of pages up to the last one with rows of its own. */
function countWithRows(pages: Pages): number {
  const { shared } = new RequestRows(pages);
  return pages.findLastIndex(({ facts }, at) => facts.rows > shared[at]!) + 1;
}

function isEmpty({ facts }: FetchedPage<FetchedFacts>): boolean {
  return facts.rows === 0 && facts.isAbsent !== true;
}

/**
 * The total that most pages state; in a tie, the total of the first page. If any page has rows, totals of zero do not
 * count, since a service with a temporary fault may state zero on every page.
 */
function commonTotal(pages: Pages): number | null {
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
