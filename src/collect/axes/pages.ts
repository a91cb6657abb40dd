import { hash } from 'node:crypto';
import type { AxisDefinition } from './definition.ts';
import { pageCount, pageOf, type AxisRequest } from './requests.ts';

/** What one page says, small enough to keep while a question's other pages are asked. */
export interface PageFacts {
  readonly page: number;
  /** Rows of the whole question, as this page counts them; null where it does not. */
  readonly total: number | null;
  /** One print a row, in order: equal rows have equal prints. */
  readonly prints: readonly string[];
}

/** The pages of a question once they agree with one another, or were asked often enough. */
export interface SettledPages {
  /** Pages that hold rows, from the first; those past `pages` were asked in vain. */
  readonly pages: number;
  /** Pages that went on to disagree, with what is odd; empty when all is well. */
  readonly doubts: readonly PageDoubt[];
}

export interface PageDoubt {
  readonly page: number;
  readonly kind: DoubtKind;
}

export type DoubtKind =
  /** A zero can be a passing fault that looks like success (TAGO, measured 2026-08-02). */
  | 'empty'
  /** Pages count the whole differently. */
  | 'total'
  /** More or fewer rows than the page has to hold. */
  | 'rows'
  /** A row that another page holds too: then one is missing elsewhere. */
  | 'overlap';

/**
 * Asks every page of a question, and again where pages disagree. What an answer says twice is believed.
 * `ask` may hand out a stored page, unless `fresh`; its last answer to a page is the one to keep.
 */
export async function settlePages(
  axis: AxisDefinition,
  first: AxisRequest,
  ask: (request: AxisRequest, fresh: boolean) => Promise<PageFacts>,
): Promise<SettledPages> {
  const facts = new Map<number, PageFacts>();
  const believed = new Set<number>();
  for (let round = 0; ; round++) {
    await askMissing(axis, first, facts, ask);
    const doubts = doubtsOf(axis, facts).filter(({ page }) => !believed.has(page));
    if (doubts.length === 0 || round === roundsMax) {
      const held = [...facts.values()].filter(({ prints }) => prints.length > 0);
      return { pages: Math.max(1, ...held.map(({ page }) => page)), doubts };
    }
    for (const page of new Set(doubts.map((doubt) => doubt.page))) {
      const again = await ask(pageOf(axis, first, page), true);
      if (isSame(again, facts.get(page))) believed.add(page);
      else believed.clear();
      facts.set(page, again);
    }
  }
}

/** The facts of a page's rows. */
export function pageFacts(page: number, total: number | null, rows: readonly unknown[]): PageFacts {
  return { page, total, prints: rows.map((row) => hash('sha1', JSON.stringify(row), 'base64')) };
}

/** One mended page can show that the next is wrong too; a source that never settles is left then. */
const roundsMax = 8;

/** Ten million rows at the usual size: more is a service that counts wrongly. */
const pagesMax = 10_000;

/** All pages there should be, and one more after a full last page: totals have come out too small. */
async function askMissing(
  axis: AxisDefinition,
  first: AxisRequest,
  facts: Map<number, PageFacts>,
  ask: (request: AxisRequest, fresh: boolean) => Promise<PageFacts>,
): Promise<void> {
  for (let page = 1; page <= lastPage(axis, facts); page++) {
    if (page > pagesMax) throw new Error(tooManyPages(axis));
    if (!facts.has(page)) facts.set(page, await ask(pageOf(axis, first, page), false));
  }
}

function lastPage(axis: AxisDefinition, facts: ReadonlyMap<number, PageFacts>): number {
  if (facts.size === 0) return 1;
  const last = pageCount(axis, totalOf(facts) ?? 0);
  const asked = Math.max(last, facts.size);
  const end = facts.get(asked);
  const full = end?.prints.length === axis.paging.pageSize;
  // A service that ignores the page answers the same for ever.
  const repeated = end !== undefined && end.prints[0] === facts.get(asked - 1)?.prints[0];
  return full && !repeated ? asked + 1 : last;
}

/** The largest count that a page with rows gives: a page past the end may give none. */
function totalOf(facts: ReadonlyMap<number, PageFacts>): number | null {
  const totals = [...facts.values()].flatMap(({ total, prints }) =>
    total === null || prints.length === 0 ? [] : [total],
  );
  return totals.length === 0 ? (facts.get(1)?.total ?? null) : Math.max(...totals);
}

function doubtsOf(axis: AxisDefinition, facts: ReadonlyMap<number, PageFacts>): PageDoubt[] {
  const total = totalOf(facts);
  const pages = [...facts.values()].sort((a, b) => a.page - b.page);
  const doubts: PageDoubt[] = [];
  const pageOfPrint = new Map<string, number>();
  for (const { page, prints, total: counted } of pages) {
    const before = (page - 1) * axis.paging.pageSize;
    if (prints.length === 0 && page === 1) doubts.push({ page, kind: 'empty' });
    if (total !== null) {
      const expected = Math.max(0, Math.min(axis.paging.pageSize, total - before));
      if (prints.length !== expected) doubts.push({ page, kind: 'rows' });
      if (counted !== null && counted !== total && prints.length > 0) {
        doubts.push({ page, kind: 'total' });
      }
    }
    for (const print of prints) {
      const other = pageOfPrint.get(print);
      if (other === undefined) pageOfPrint.set(print, page);
      else if (other !== page) {
        doubts.push({ page, kind: 'overlap' }, { page: other, kind: 'overlap' });
        break;
      }
    }
  }
  // Where counts differ it is not said which page errs.
  const differ = doubts.some(({ kind }) => kind === 'total');
  return differ ? pages.map(({ page }) => ({ page, kind: 'total' })) : doubts;
}

function tooManyPages(axis: AxisDefinition): string {
  return `${axis.code} goes on after ${pagesMax} pages of one question: look at what ${axis.path} answers.`;
}

function isSame(one: PageFacts, other: PageFacts | undefined): boolean {
  return (
    other !== undefined &&
    one.total === other.total &&
    one.prints.length === other.prints.length &&
    one.prints.every((print, at) => print === other.prints[at])
  );
}
