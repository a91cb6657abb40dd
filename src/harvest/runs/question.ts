import type { AxisDefinition } from '../operations/definition.ts';
import { pageOf, type AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';
import type { PageFacts } from './page.ts';

/** All pages of one question, each at the look that is believed. */
export interface Settled {
  readonly pages: readonly SettledPage[];
  readonly rows: number;
  /** By how many rows the pages differ from the total that the portal counts; 0 where that moves. */
  readonly mismatch: number;
  /** The lowest and the highest total, where the list changed while it was paged; else null. */
  readonly moved: readonly [number, number] | null;
}

export interface SettledPage {
  readonly request: AxisRequest;
  readonly look: number;
  readonly facts: PageFacts;
}

/** The facts of a page at a look counted from 0; null where there is no more to be had. */
export type Look = (request: AxisRequest, look: number) => Promise<PageFacts | null>;

/**
 * Asks for every page of a question until the pages agree: with their totals, with each other and within
 * themselves. An odd page is asked for again, and believed once it comes the same twice: a zero, a short
 * page and a repeated one are often a passing fault of the portal, and sometimes true.
 */
export async function settleQuestion(
  axis: AxisDefinition,
  first: AxisRequest,
  look: Look,
  isKnownEmpty: boolean,
): Promise<Settled> {
  const question = new Question(axis, first, look, isKnownEmpty);
  await question.ask();
  return question.settled();
}

class Question {
  readonly #axis: AxisDefinition;
  readonly #look: Look;
  readonly #isKnownEmpty: boolean;
  readonly #pages: AskedPage[];

  constructor(axis: AxisDefinition, first: AxisRequest, look: Look, isKnownEmpty: boolean) {
    this.#axis = axis;
    this.#look = look;
    this.#isKnownEmpty = isKnownEmpty;
    this.#pages = [new AskedPage(first)];
  }

  async ask(): Promise<void> {
    const first = this.#pages[0]!;
    await first.look(this.#look);
    while (!first.isBelieved && this.#isOdd(first)) await first.look(this.#look);
    if (this.#total() === null) return this.#askUntilShort();
    for (let round = 0; round < runLimits.roundsMax; round++) {
      await this.#askMissing();
      const odd = this.#oddPages();
      if (odd.length === 0) return;
      await this.#lookAt(odd);
    }
    await this.#askMissing();
  }

  settled(): Settled {
    const pages = this.#pages.map(({ request, chosen, facts }) => ({
      request,
      look: chosen,
      facts,
    }));
    const rows = pages.reduce((sum, { facts }) => sum + facts.rows, 0);
    const total = this.#total();
    const totals = pages.flatMap(({ facts }) => facts.total ?? []);
    const [least, most] = [Math.min(...totals), Math.max(...totals)];
    if (least < most) return { pages, rows, mismatch: 0, moved: [least, most] };
    return { pages, rows, mismatch: total === null ? 0 : Math.abs(rows - total), moved: null };
  }

  /** Where nobody counts the rows: page after page until one is not full. */
  async #askUntilShort(): Promise<void> {
    for (;;) {
      const last = this.#pages.at(-1)!;
      if (last.facts.rows < this.#axis.paging.pageSize) return;
      const next = this.#add();
      await next.look(this.#look);
      while (!next.isBelieved && this.#isOdd(next)) await next.look(this.#look);
    }
  }

  async #askMissing(): Promise<void> {
    const pages = this.#pageCount();
    if (pages > runLimits.pagesMax) throw this.#tooManyPages();
    this.#pages.length = Math.min(this.#pages.length, pages);
    const added: AskedPage[] = [];
    while (this.#pages.length < pages) added.push(this.#add());
    await this.#lookAt(added);
  }

  /** Throws only when nothing is under way any more: the answers' store is closed after it. */
  async #lookAt(pages: readonly AskedPage[]): Promise<void> {
    const looks = await Promise.allSettled(pages.map((page) => page.look(this.#look)));
    for (const look of looks) if (look.status === 'rejected') throw look.reason;
  }

  #add(): AskedPage {
    const number = this.#pages.length + 1;
    if (number > runLimits.pagesMax) throw this.#tooManyPages();
    const page = new AskedPage(pageOf(this.#axis, this.#pages[0]!.request, number));
    this.#pages.push(page);
    return page;
  }

  #tooManyPages(): Error {
    const { code, path } = this.#axis;
    return new Error(
      `${code} would take more than ${runLimits.pagesMax} pages for one question: compare the total ` +
        `that ${path} counts with its page on the portal.`,
    );
  }

  /** One more than the total tells where the last page is full: a total may be one too small. */
  #pageCount(): number {
    const total = this.#total() ?? 0;
    const size = this.#size();
    if (total === 0 || size === 0) return 1;
    return Math.ceil(total / size) + (total % size === 0 ? 1 : 0);
  }

  /** Rows of a full page: some services cut a large page without a word. */
  #size(): number {
    const { rows, total } = this.#pages[0]!.facts;
    const asked = this.#axis.paging.pageSize;
    return total !== null && rows > 0 && rows < Math.min(asked, total) ? rows : asked;
  }

  /**
   * What most pages say; the first page’s word where none is said more often. No number of zeros stands
   * against one page with rows: a service that is empty for a moment says so on every page.
   */
  #total(): number | null {
    const hasRows = this.#pages.some(({ facts }) => facts.rows > 0);
    const votes = new Map<number, number>();
    for (const page of this.#pages) {
      const { total } = page.facts;
      const counts = total !== null && (total > 0 || !hasRows);
      if (counts) votes.set(total, (votes.get(total) ?? 0) + 1);
    }
    const most = Math.max(0, ...votes.values());
    const own = this.#pages[0]!.facts.total;
    if (own === null || votes.get(own) === most) return own;
    return [...votes].find(([, count]) => count === most)?.[0] ?? null;
  }

  #oddPages(): AskedPage[] {
    const total = this.#total();
    const others = this.#pages.filter(({ facts }) => facts.total !== total).length;
    const isMoving =
      others > 1 &&
      this.#pages.length > movingPagesMin &&
      others / this.#pages.length > runLimits.movingShareMax &&
      this.#pages.some((page) => page.facts.total !== total && page.isBelieved);
    return this.#pages.filter(
      (page) =>
        !page.isBelieved &&
        (this.#isOdd(page) || (!isMoving && others > 0 && this.#isOutvoted(page, total))),
    );
  }

  /** Where no total has a majority every page is doubted. */
  #isOutvoted({ facts }: AskedPage, total: number | null): boolean {
    const agreeing = this.#pages.filter((page) => page.facts.total === total).length;
    return facts.total !== total || agreeing * 2 <= this.#pages.length;
  }

  #isOdd(page: AskedPage): boolean {
    const { rows, repeated, damaged, digest, first, last } = page.facts;
    const at = this.#pages.indexOf(page);
    const total = this.#total();
    if (rows === 0 && at === 0) return !this.#isKnownEmpty;
    const asked = this.#axis.paging.pageSize;
    if (repeated > 0 || damaged > 0 || rows > asked) return true;
    // A first page that is short decides how many there are, and so does an impossible total.
    if (at === 0 && total !== null && rows < Math.min(asked, total)) return true;
    if (total !== null && total > asked * runLimits.pagesMax) return true;
    if (total !== null && rows !== this.#rowsExpected(at, total)) return true;
    if (rows === 0) return false;
    const before = this.#pages[at - 1]?.looked();
    const after = this.#pages[at + 1]?.looked();
    if (before !== undefined && (before.digest === digest || before.last === first)) return true;
    return after !== undefined && after.rows > 0 && after.first === last;
  }

  #rowsExpected(at: number, total: number): number {
    const size = this.#size();
    return Math.max(0, Math.min(size, total - at * size));
  }
}

/** Fewer pages than this are looked at again in any case. */
const movingPagesMin = 10;

class AskedPage {
  readonly request: AxisRequest;
  readonly #looks: PageFacts[] = [];
  chosen = 0;
  /** Two looks agreed, or there is nothing more to look at. */
  isBelieved = false;

  constructor(request: AxisRequest) {
    this.request = request;
  }

  get facts(): PageFacts {
    const facts = this.#looks[this.chosen];
    if (facts === undefined) throw new Error('A page is judged before it was answered.');
    return facts;
  }

  looked(): PageFacts | undefined {
    return this.#looks[this.chosen];
  }

  async look(look: Look): Promise<void> {
    const facts = await look(this.request, this.#looks.length);
    if (facts === null) {
      if (this.#looks.length === 0) throw new NotStored(this.request);
      this.isBelieved = true;
      return;
    }
    const same = this.#looks.findIndex(
      ({ digest, total }) => digest === facts.digest && total === facts.total,
    );
    this.#looks.push(facts);
    this.chosen = same < 0 ? this.#looks.length - 1 : same;
    this.isBelieved = same >= 0 || this.#looks.length >= runLimits.looksMax;
  }
}

/** An answer is needed that the raw store does not have. */
class NotStored extends Error {
  constructor({ path }: AxisRequest) {
    super(`An answer of ${path} is not stored: collect the axis again without --reparse.`);
    this.name = 'NotStored';
  }
}
