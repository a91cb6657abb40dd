import { hash } from 'node:crypto';
import type { RawResponse } from '../client/transport.ts';
import type { ResponseStore } from '../runs/response-store.ts';
import { settlePages, type ComparedFacts } from '../runs/settle-pages.ts';

/** Content of one page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Items of the whole list. */
  readonly total: number;
  /** Items of a full page. */
  readonly size: number;
}

interface PagedList<Item> {
  /** Name of a page in the response store. */
  keyOf(page: number): string;
  /** Fetches a page; null to read stored pages only. */
  readonly fetch: ((page: number) => Promise<RawResponse>) | null;
  read(response: RawResponse): ListPage<Item>;
}

interface CollectedPages {
  readonly items: number;
  /** Difference between the items of the pages and the list's total. */
  readonly mismatch: number;
  /** True if a later page equals the first, in every copy. */
  readonly isFirstRepeated: boolean;
}

/**
 * Collects a list page by page, from the store or from its upstream. `onPage` receives the items of each settled page
 * and the number of all pages.
 */
export async function collectPages<Item>(
  list: PagedList<Item>,
  store: ResponseStore,
  pagesMax: number,
  onPage: (items: readonly Item[], pages: number) => void,
): Promise<CollectedPages> {
  const { fetch } = list;
  let copies: ListPage<Item>[] = [];
  /** Digests of the settled pages, since a wrong page may equal any of them. */
  const digests = new Set<string>();
  let items = 0;
  const pages = await settlePages(
    async (page, copy) => {
      const response = await store.load(
        list.keyOf(page),
        fetch === null ? null : () => fetch(page),
        copy,
      );
      if (response === null) return null;
      if (copy === 0) copies = [];
      const content = list.read(response);
      copies.push(content);
      return factsOf(content);
    },
    {
      /** True for a page that is short, long, or equal to an earlier page. */
      isOdd(fetchedPages) {
        const { rows, total, size, digest } = fetchedPages.at(-1)!.facts;
        const expected = Math.max(0, Math.min(size, total - (fetchedPages.length - 1) * size));
        return rows === 0 || rows !== expected || digests.has(digest);
      },
      hasNext(fetchedPages) {
        const { facts } = fetchedPages.at(-1)!;
        const isLast =
          fetchedPages.length >= Math.min(pageCount(facts), pagesMax) || facts.rows === 0;
        return !isLast && !isFirstRepeated(fetchedPages);
      },
    },
    ({ copy, facts }) => {
      // A page that still equals an earlier one has no items of its own.
      if (facts.rows > 0 && digests.has(facts.digest)) return;
      digests.add(facts.digest);
      items += facts.rows;
      onPage(copies[copy]!.items, pageCount(facts));
    },
  );
  const { total } = pages.at(-1)!.facts;
  return { items, mismatch: Math.abs(total - items), isFirstRepeated: isFirstRepeated(pages) };
}

interface ListFacts extends ComparedFacts {
  readonly rows: number;
  readonly total: number;
  readonly size: number;
}

function factsOf(page: ListPage<unknown>): ListFacts {
  const { items, total, size } = page;
  return { digest: hash('md5', JSON.stringify(items)), rows: items.length, total, size };
}

function pageCount({ total, size }: ListFacts): number {
  return Math.ceil(total / Math.max(1, size));
}

function isFirstRepeated(pages: readonly { readonly facts: ListFacts }[]): boolean {
  const { rows, digest } = pages.at(-1)!.facts;
  return pages.length > 1 && rows > 0 && digest === pages[0]!.facts.digest;
}
