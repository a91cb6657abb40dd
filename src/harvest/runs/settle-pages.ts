import { runLimits } from './limits.ts';

/** Facts by which copies of a page are compared. */
export interface ComparedFacts {
  /** Hash of the content. */
  readonly digest: string;
  /** Total of the list that the page states; null if it states none. */
  readonly total: number | null;
}

/** A page with the facts of the copy that is used. */
export interface FetchedPage<Facts> {
  readonly copy: number;
  readonly facts: Facts;
  /** The facts of all copies, `facts` among them. */
  readonly copies: readonly Facts[];
  /** True if two copies are equal, or if no further copy is fetched. */
  readonly isAccepted: boolean;
}

/** Function that returns the facts of a copy of a page; null if it has none. Pages count from 1, copies from 0. */
type FetchPage<Facts> = (page: number, copy: number) => Promise<Facts | null>;

/** Rules by which pages are compared with their neighbours and totals. */
export interface PageJudge<Facts> {
  /** True if the last page looks like a temporary fault. */
  isOdd(pages: readonly FetchedPage<Facts>[]): boolean;
  /**
   * True if the page after the last one must be fetched, too. False if the total decides the number of pages, unless
   * the last page disproves it.
   */
  hasNext(pages: readonly FetchedPage<Facts>[]): boolean;
  /** Rules for pages that are fetched together; absent if pages are fetched one by one. */
  readonly batch?: {
    /** Number of pages that the totals so far imply. */
    countPages(pages: readonly FetchedPage<Facts>[]): number;
    /** True if these consecutive pages lie beyond the end of the list. */
    isBeyondEnd(pages: readonly FetchedPage<Facts>[]): boolean;
    /** Pages that contradict the others. */
    findOdd(pages: readonly FetchedPage<Facts>[]): readonly FetchedPage<Facts>[];
  };
}

/**
 * Fetches every page of a request until the pages agree. An empty, short or repeated page is often a temporary
 * fault and sometimes correct, so an odd page is fetched again and accepted once two copies are equal. `onSettled`
 * receives each page that is fetched alone, before the next one.
 */
export async function settlePages<Facts extends ComparedFacts>(
  fetchPage: FetchPage<Facts>,
  judge: PageJudge<Facts>,
  onSettled?: (page: FetchedPage<Facts>, pages: readonly FetchedPage<Facts>[]) => void,
): Promise<readonly FetchedPage<Facts>[]> {
  const pages: Page<Facts>[] = [];
  const fetchNext = async (): Promise<void> => {
    const page = addPage(pages);
    await page.fetch(fetchPage);
    while (!page.isAccepted && judge.isOdd(pages)) await page.fetch(fetchPage);
    onSettled?.(page, pages);
  };
  do await fetchNext();
  while (judge.hasNext(pages));
  if (judge.batch === undefined) return pages;
  await fetchBatch(pages, fetchPage, judge.batch);
  while (judge.hasNext(pages)) await fetchNext();
  return pages;
}

/** Fetches the pages that the total implies, and the odd ones again. */
async function fetchBatch<Facts extends ComparedFacts>(
  pages: Page<Facts>[],
  fetchPage: FetchPage<Facts>,
  batch: NonNullable<PageJudge<Facts>['batch']>,
): Promise<void> {
  for (let round = 0; ; round++) {
    const count = batch.countPages(pages);
    pages.length = Math.min(pages.length, count);
    // Groups grow: a total that is far too large costs few calls, and a correct one little waiting.
    for (let size = runLimits.pageGroupMin; pages.length < count; size *= 2) {
      const group: Page<Facts>[] = [];
      while (group.length < size && pages.length < count) group.push(addPage(pages));
      await fetchAll(group, fetchPage);
      if (batch.isBeyondEnd(group)) break;
    }
    const odd = new Set(batch.findOdd(pages));
    if (round === runLimits.roundsMax || odd.size === 0) return;
    await fetchAll(
      pages.filter((page) => odd.has(page)),
      fetchPage,
    );
  }
}

function addPage<Facts extends ComparedFacts>(pages: Page<Facts>[]): Page<Facts> {
  const page = new Page<Facts>(pages.length + 1);
  pages.push(page);
  return page;
}

/** Fetches pages together. Throws only after all have ended, since the caller then closes the response store. */
async function fetchAll<Facts extends ComparedFacts>(
  pages: readonly Page<Facts>[],
  fetchPage: FetchPage<Facts>,
): Promise<void> {
  const fetched = await Promise.allSettled(pages.map((page) => page.fetch(fetchPage)));
  for (const each of fetched) if (each.status === 'rejected') throw each.reason;
}

class Page<Facts extends ComparedFacts> implements FetchedPage<Facts> {
  readonly #number: number;
  readonly copies: Facts[] = [];
  copy = 0;
  isAccepted = false;

  constructor(number: number) {
    this.#number = number;
  }

  get facts(): Facts {
    const facts = this.copies[this.copy];
    if (facts === undefined) throw new Error('A page has no facts before it is fetched.');
    return facts;
  }

  async fetch(fetchPage: FetchPage<Facts>): Promise<void> {
    const { copies } = this;
    const facts = await fetchPage(this.#number, copies.length);
    if (facts === null) {
      if (copies.length === 0) {
        throw new Error('A response is not stored: collect again without --reparse.');
      }
      this.isAccepted = true;
      return;
    }
    const equal = copies.findIndex(
      ({ digest, total }) => digest === facts.digest && total === facts.total,
    );
    copies.push(facts);
    this.copy = equal < 0 ? copies.length - 1 : equal;
    this.isAccepted = equal >= 0 || copies.length >= runLimits.copiesMax;
  }
}
