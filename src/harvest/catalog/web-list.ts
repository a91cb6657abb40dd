import { askDoor, type Door } from '../client/fetch-upstream.ts';
import type { OpenRun } from '../runs/door-run.ts';
import { collectPages, type PageRead } from '../runs/pages.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { EntriesFound } from '../../ingest/catalog/entries-found.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { catalogLimits } from './limits.ts';
import type { CatalogReport } from '../../ingest/catalog/read.ts';
import { readWebPage, type WebItem } from './web-page.ts';

/**
 * All LINKED datasets: data of other portals, which no list file and no API has. They are read off the web
 * list, at a pace that a person with several tabs could have. Null asks nobody and reads what is stored.
 */
export async function collectLinked(
  open: OpenRun,
  door: Door | null,
  entries: EntryTable,
  report: CatalogReport,
  onPage: (pages: number, planned: number, entries: number) => void,
  signal?: AbortSignal,
): Promise<{ readonly mismatch: number }> {
  const found = new EntriesFound(entries, report);
  const { mismatch } = await collectPages<WebItem>(
    {
      question: (page) => targetOf(page),
      ask: door === null ? null : (page) => askPage(page, door, signal),
      read: ({ body }) => {
        const page = pageIn(body, null);
        if ('class' in page) throw new Error(`A stored page cannot be read: ${page.message}.`);
        return page;
      },
    },
    open.store,
    catalogLimits,
    (items, page, pages) => {
      for (const item of items) found.add((column) => item[column]);
      open.count(items.length);
      onPage(page, pages, found.count);
    },
  );
  return { mismatch };
}

function targetOf(page: number): string {
  const query = new URLSearchParams({
    dType: 'LINKED',
    keyword: '',
    sort: '',
    currentPage: String(page),
    perPage: String(catalogLimits.webPageSize),
  });
  return `www.data.go.kr/tcs/dss/selectDataSetList.do?${query.toString()}`;
}

async function askPage(page: number, door: Door, signal: AbortSignal | undefined) {
  const { raw } = await askDoor(
    {
      target: targetOf(page),
      headers: { Accept: 'text/html', 'Accept-Encoding': 'gzip' },
      read: ({ body }) => pageIn(body, page),
      advice: () =>
        'Look at it in a browser, and run again later: what is stored is not asked for twice.',
    },
    door,
    signal,
  );
  return raw;
}

/** The page that was asked for; anything else passes by itself, as maintenance and errors at this door do. */
function pageIn(body: Uint8Array, asked: number | null): PageRead<WebItem> | Fault {
  const page = readWebPage(new TextDecoder().decode(body), 'LINKED');
  if (page === null) {
    return { class: 'retry', code: 'no_list', message: 'something else than the list came' };
  }
  if (asked !== null && page.page !== null && page.page !== asked) {
    const message = `page ${page.page} came instead of page ${asked}`;
    return { class: 'retry', code: 'other_page', message };
  }
  return { items: page.items, total: page.total, size: page.size ?? catalogLimits.webPageSize };
}
