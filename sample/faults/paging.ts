import type { Page } from '../envelope.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import { hashOf } from '../seeded-random.ts';
import type { Fault } from './fault.ts';

/** Lasting faults in the way in which an operation divides a list into pages. */
export const pagingFaults = {
  page_ignored: {
    summary: 'Every page is page 1; the total is right.',
    isLasting: true,
    page: (page, listing) => pageAt(page, listing, 1),
  },
  page_short: {
    summary: 'Page 2 lacks its last third; the total is right.',
    isLasting: true,
    page: (page) =>
      page.number === 2 ? { ...page, rows: page.rows.slice(0, (page.rows.length * 2) / 3) } : page,
  },
  order_unstable: {
    summary: 'The list has another order at every attempt.',
    isLasting: true,
    page: (page, listing, _, attempt) => {
      const order = Array.from({ length: listing.length }, (_, index) => index);
      const rank = order.map((index) => hashOf(attempt, 'order', page.number, index));
      order.sort((a, b) => rank[a]! - rank[b]!);
      const shuffled = { length: order.length, at: (at: number) => listing.at(order[at]!) };
      return pageAt(page, shuffled, page.number);
    },
  },
  rows_doubled: {
    summary: 'The list has every row twice, one after the other, and counts both.',
    isLasting: true,
    listing: (listing) => ({
      length: listing.length * 2,
      at: (index) => listing.at(Math.floor(index / 2)),
    }),
  },
  page_echoed: {
    summary: 'Every answer states that it is page 1; its rows are right.',
    isLasting: true,
    page: (page) => ({ ...page, number: 1 }),
  },
  total_missing: {
    summary: 'No total, and at most 40 rows a page without notice.',
    isLasting: true,
    page: (page, listing) => ({
      ...pageAt({ ...page, size: Math.min(page.size, 40) }, listing, page.number),
      total: null,
    }),
  },
} as const satisfies Record<string, Fault>;

function pageAt(page: Page, listing: Listing<Row>, number: number): Page {
  const from = (number - 1) * page.size;
  return { ...page, number, rows: slice(listing, from, from + page.size) };
}
