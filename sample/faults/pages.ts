import type { Page } from '../envelope.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import type { Fault } from './fault.ts';

/** Temporary faults in the content of an operation's page. */
export const pageFaults = {
  total_zero: {
    summary: 'No rows and `totalCount` 0, although there are records.',
    page: (page) => ({ ...page, total: 0, rows: [] }),
  },
  total_growing: {
    summary: '`totalCount` is too large by the number of the page (1 on page 1, 2 on page 2).',
    page: (page) => ({ ...page, total: (page.total ?? 0) + Math.max(1, page.number) }),
  },
  total_shrinking: {
    summary: '`totalCount` is too small by the number of the page.',
    page: (page) => ({ ...page, total: Math.max(0, (page.total ?? 0) - Math.max(1, page.number)) }),
  },
  page_repeated: {
    summary: 'A page after the first repeats the rows of the previous page.',
    page: (page, listing) => shiftRows(page, listing, -page.size),
  },
  page_first: {
    summary: 'A page after the first comes as page 1, with its number.',
    page: (page, listing) =>
      page.number > 1 ? { ...page, number: 1, rows: slice(listing, 0, page.size) } : page,
  },
  ties_swapped: {
    summary: 'The last row but one of a page has changed places with the second of the next page.',
    page: (page, listing) => {
      const other = listing.at(page.number * page.size + 1);
      const at = page.rows.length - 2;
      return other === undefined || at < 0 ? page : { ...page, rows: page.rows.with(at, other) };
    },
  },
  page_shifted: {
    summary: 'A page after the first begins one row too late.',
    page: (page, listing) => shiftRows(page, listing, 1),
  },
  page_empty: {
    summary: 'A page after the first has no rows, but the right total.',
    page: (page) => (page.number > 1 ? { ...page, rows: [] } : page),
  },
  rows_repeated: {
    summary: 'The first row of a page is repeated at its end.',
    page: (page) => ({ ...page, rows: [...page.rows, ...page.rows.slice(0, 1)] }),
  },
  nul_text: {
    summary: 'A NUL character stands inside a text of the first row.',
    page: (page) => ({
      ...page,
      rows: page.rows.map((row, index) => (index === 0 ? insertNul(row) : row)),
    }),
  },
} as const satisfies Record<string, Fault>;

function shiftRows(page: Page, listing: Listing<Row>, offset: number): Page {
  if (page.number < 2) return page;
  const from = (page.number - 1) * page.size + offset;
  return { ...page, rows: slice(listing, from, from + page.size) };
}

function insertNul(row: Row): Row {
  const name = Object.keys(row).find((name) => typeof row[name] === 'string' && row[name] !== '');
  if (name === undefined) return row;
  const text = String(row[name]);
  return { ...row, [name]: `${text.slice(0, 1)}\0${text.slice(1)}` };
}
