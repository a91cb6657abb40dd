import type { Page } from '../envelope.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import type { Fault } from './fault.ts';

/** Faults in what a page of an operation says, gone when it is asked for again. */
export const pageFaults = {
  total_zero: {
    what: 'An answer without rows and `totalCount` 0 although there are some.',
    stays: false,
    page: (page) => ({ ...page, total: 0, rows: [] }),
  },
  total_growing: {
    what: '`totalCount` is larger than the truth, by one more on every page.',
    stays: false,
    page: (page) => ({ ...page, total: page.total + Math.max(1, page.number) }),
  },
  total_shrinking: {
    what: '`totalCount` is smaller than the truth, by one more on every page.',
    stays: false,
    page: (page) => ({ ...page, total: Math.max(0, page.total - Math.max(1, page.number)) }),
  },
  page_repeated: {
    what: 'A page after the first has the rows of the page before.',
    stays: false,
    page: (page, listing) => withRows(page, listing, -page.size),
  },
  page_shifted: {
    what: 'A page after the first begins one row too late.',
    stays: false,
    page: (page, listing) => withRows(page, listing, 1),
  },
  page_empty: {
    what: 'A page after the first has no rows, but the right total.',
    stays: false,
    page: (page) => (page.number > 1 ? { ...page, rows: [] } : page),
  },
  rows_repeated: {
    what: 'The first row of the page comes once more at its end.',
    stays: false,
    page: (page) => ({ ...page, rows: [...page.rows, ...page.rows.slice(0, 1)] }),
  },
  nul_text: {
    what: 'A NUL character stands inside a text of the first row.',
    stays: false,
    page: (page) => ({
      ...page,
      rows: page.rows.map((row, at) => (at === 0 ? withNul(row) : row)),
    }),
  },
} as const satisfies Record<string, Fault>;

function withRows(page: Page, listing: Listing<Row>, by: number): Page {
  if (page.number < 2) return page;
  const from = (page.number - 1) * page.size + by;
  return { ...page, rows: slice(listing, from, from + page.size) };
}

function withNul(row: Row): Row {
  const name = Object.keys(row).find((name) => typeof row[name] === 'string' && row[name] !== '');
  if (name === undefined) return row;
  const text = String(row[name]);
  return { ...row, [name]: `${text.slice(0, 1)}\0${text.slice(1)}` };
}
