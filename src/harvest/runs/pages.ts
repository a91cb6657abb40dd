import { hash } from 'node:crypto';
import type { RawResponse } from '../client/transport.ts';
import type { ResponseStore } from './response-store.ts';

/** One page of a list as it says of itself. */
export interface PageRead<Item> {
  readonly items: readonly Item[];
  /** Items of the whole list. */
  readonly total: number;
  /** Items of a full page. */
  readonly size: number;
}

export interface PagedList<Item> {
  /** What the page is called in the store. */
  question(page: number): string;
  /** Null reads what is stored and asks nobody. */
  readonly ask: ((page: number) => Promise<RawResponse>) | null;
  /** Reads an answer that `ask` took for one. */
  read(answer: RawResponse): PageRead<Item>;
}

export interface CollectedPages {
  readonly items: number;
  /** Items by which the pages differ from the total that the list counts. */
  readonly mismatch: number;
  /** A page after the first that is the first again, however often it is asked for. */
  readonly repeatsFirst: boolean;
}

/** Takes the items of a page that is believed, with its number and how many there may be. */
export type TakePage<Item> = (items: readonly Item[], page: number, pages: number) => void;

/**
 * Every page of a list, one after the other. A page that is short, long or a repetition is asked for again
 * and believed once it comes the same twice. What is stored is not asked for.
 */
export async function collectPages<Item>(
  list: PagedList<Item>,
  store: ResponseStore,
  limits: { readonly pagesMax: number; readonly looksMax: number },
  take: TakePage<Item>,
): Promise<CollectedPages> {
  let items = 0;
  let first: string | null = null;
  let before = '';
  for (let page = 1; ; page++) {
    const { read, digest } = await settledPage(list, store, limits.looksMax, page, before);
    if (digest === first && read.items.length > 0) {
      return { items, mismatch: read.total - items, repeatsFirst: true };
    }
    first ??= digest;
    before = digest;
    items += read.items.length;
    const pages = Math.ceil(read.total / Math.max(1, read.size));
    take(read.items, page, pages);
    if (page < pages && page < limits.pagesMax && read.items.length > 0) continue;
    return { items, mismatch: Math.abs(read.total - items), repeatsFirst: false };
  }
}

interface SettledPage<Item> {
  readonly read: PageRead<Item>;
  readonly digest: string;
}

async function settledPage<Item>(
  list: PagedList<Item>,
  store: ResponseStore,
  looksMax: number,
  page: number,
  before: string,
): Promise<SettledPage<Item>> {
  const seen = new Set<string>();
  let last: SettledPage<Item> | null = null;
  for (let look = 0; look < looksMax; look++) {
    const { ask } = list;
    const fetch = ask === null ? null : () => ask(page);
    const answer = await store.load(list.question(page), fetch, look);
    if (answer === null) break;
    const read = list.read(answer);
    last = { read, digest: hash('md5', JSON.stringify(read)) };
    if (!isOdd(read, page) && last.digest !== before) return last;
    if (seen.has(last.digest)) return last;
    seen.add(last.digest);
  }
  if (last === null) throw new Error('An answer is not stored: collect again without --reparse.');
  return last;
}

function isOdd({ items, total, size }: PageRead<unknown>, page: number): boolean {
  const expected = Math.max(0, Math.min(size, total - (page - 1) * size));
  return items.length === 0 || items.length !== expected;
}
