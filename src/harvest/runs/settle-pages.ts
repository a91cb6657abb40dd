import { runLimits } from './limits.ts';

/** Facts of a page that copies of it are compared by. */
export interface ComparedFacts {
  /** Hash of the content. */
  readonly digest: string;
  /** Total of the whole list that the page states; null where it states none. */
  readonly total: number | null;
}

/** A page with the facts of the copy that counts. */
export interface FetchedPage<Facts> {
  readonly copy: number;
  readonly facts: Facts;
  /** Two copies are equal, or no further copy is fetched. */
  readonly isBelieved: boolean;
}

/** Returns the facts of a copy, counted from 0, of a page, counted from 1; null where there is no such copy. */
type FetchPage<Facts> = (page: number, copy: number) => Promise<Facts | null>;

/** Judges pages by their neighbours and totals. */
export interface PageJudge<Facts> {
  /** True for a last page that looks like a temporary fault. */
  isOdd(pages: readonly FetchedPage<Facts>[]): boolean;
  /** True for a list that goes on after the last page; false if the total decides. */
  hasNext(pages: readonly FetchedPage<Facts>[]): boolean;
  /** Judges pages that are fetched together; absent where one follows from the other. */
  readonly together?: {
    /** Number of pages, by the totals so far. */
    count(pages: readonly FetchedPage<Facts>[]): number;
    /** Pages that contradict the others. */
    odd(pages: readonly FetchedPage<Facts>[]): readonly FetchedPage<Facts>[];
  };
}

/**
 * Fetches every page of a request until the pages agree. An odd page is fetched again and believed once two
 * copies are equal: a zero, a short page and a repeated one are often a passing fault, and sometimes true.
 * `onSettled` takes each page that is fetched before the next one.
 */
export async function settlePages<Facts extends ComparedFacts>(
  fetchPage: FetchPage<Facts>,
  judge: PageJudge<Facts>,
  onSettled?: (page: FetchedPage<Facts>, pages: readonly FetchedPage<Facts>[]) => void,
): Promise<readonly FetchedPage<Facts>[]> {
  const pages: Page<Facts>[] = [];
  do {
    const page = add(pages);
    await page.fetch(fetchPage);
    while (!page.isBelieved && judge.isOdd(pages)) await page.fetch(fetchPage);
    onSettled?.(page, pages);
  } while (judge.hasNext(pages));
  const { together } = judge;
  if (together === undefined) return pages;
  for (let round = 0; ; round++) {
    const count = together.count(pages);
    pages.length = Math.min(pages.length, count);
    const missing: Page<Facts>[] = [];
    while (pages.length < count) missing.push(add(pages));
    await fetchAll(missing, fetchPage);
    const odd = new Set(together.odd(pages));
    if (round === runLimits.roundsMax || odd.size === 0) return pages;
    await fetchAll(
      pages.filter((page) => odd.has(page)),
      fetchPage,
    );
  }
}

function add<Facts extends ComparedFacts>(pages: Page<Facts>[]): Page<Facts> {
  const page = new Page<Facts>(pages.length + 1);
  pages.push(page);
  return page;
}

/** Throws only when no page is under way any more: the caller closes the response store after it. */
async function fetchAll<Facts extends ComparedFacts>(
  pages: readonly Page<Facts>[],
  fetchPage: FetchPage<Facts>,
): Promise<void> {
  const fetched = await Promise.allSettled(pages.map((page) => page.fetch(fetchPage)));
  for (const each of fetched) if (each.status === 'rejected') throw each.reason;
}

class Page<Facts extends ComparedFacts> implements FetchedPage<Facts> {
  readonly #number: number;
  readonly #copies: Facts[] = [];
  copy = 0;
  isBelieved = false;

  constructor(number: number) {
    this.#number = number;
  }

  get facts(): Facts {
    const facts = this.#copies[this.copy];
    if (facts === undefined) throw new Error('A page is judged before it was fetched.');
    return facts;
  }

  async fetch(fetchPage: FetchPage<Facts>): Promise<void> {
    const copies = this.#copies;
    const facts = await fetchPage(this.#number, copies.length);
    if (facts === null) {
      if (copies.length === 0) {
        throw new Error('A response is not stored: collect again without --reparse.');
      }
      this.isBelieved = true;
      return;
    }
    const equal = copies.findIndex(
      ({ digest, total }) => digest === facts.digest && total === facts.total,
    );
    copies.push(facts);
    this.copy = equal < 0 ? copies.length - 1 : equal;
    this.isBelieved = equal >= 0 || copies.length >= runLimits.copiesMax;
  }
}
