import type { PortalSite, SiteRequest } from '../datasets/portal-site.ts';
import type { RunContext } from '../runs/run-context.ts';
import { collectPages, type ListPage } from './list-pages.ts';
import { isFault, type Fault } from '../../data/portal/fault.ts';
import { EntryCollector } from '../../ingest/catalog/entry-collector.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { catalogLimits } from './limits.ts';
import type { CatalogReport } from '../../ingest/catalog/read.ts';
import { readWebPage, type WebItem } from './web-page.ts';

/**
 * Collects all LINKED datasets: data of other portals, which no list file and no API has. They are read
 * from the web list, at the pace of a user with several tabs. Without a site only stored pages are read.
 */
export async function collectLinked(
  run: RunContext,
  site: PortalSite | null,
  entries: EntryTable,
  report: CatalogReport,
): Promise<{ readonly mismatch: number }> {
  const collector = new EntryCollector(entries, report);
  const fetchPage = (from: PortalSite, page: number) => {
    const read = (text: string, body: Uint8Array) => {
      const content = readListPage(text, page);
      return isFault(content) ? content : { status: 200, body };
    };
    return from.fetchPage(requestFor(page), read, { signal: run.signal });
  };
  const { mismatch } = await collectPages<WebItem>(
    {
      keyOf,
      fetch: site === null ? null : (page) => fetchPage(site, page),
      read: ({ body }) => {
        const page = readListPage(Buffer.from(body).toString('utf8'), null);
        if (isFault(page))
          throw new Error(
            `A stored page is unreadable (${page.message}): collect without --reparse.`,
          );
        return page;
      },
    },
    run.store,
    catalogLimits.pagesMax,
    (items, pages) => {
      for (const item of items) collector.add((column) => item[column]);
      run.count(items.length, pages);
    },
  );
  return { mismatch };
}

function requestFor(page: number): SiteRequest {
  return {
    path: 'www.data.go.kr/tcs/dss/selectDataSetList.do',
    parameters: {
      dType: 'LINKED',
      keyword: '',
      sort: '',
      currentPage: String(page),
      perPage: String(catalogLimits.webPageSize),
    },
  };
}

/** Name of the page in the response store. */
function keyOf(page: number): string {
  const { path, parameters } = requestFor(page);
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}

/** Reads the requested page, or any page for null. Other content, such as a maintenance page, is a temporary fault. */
function readListPage(html: string, requested: number | null): ListPage<WebItem> | Fault {
  const page = readWebPage(html, 'LINKED');
  if (page === null) {
    return { class: 'retry', code: 'no_list', message: 'the page has no list of datasets' };
  }
  if (requested !== null && page.page !== null && page.page !== requested) {
    const message = `it is page ${page.page} instead of page ${requested}`;
    return { class: 'retry', code: 'other_page', message };
  }
  return { items: page.items, total: page.total, size: page.size ?? catalogLimits.webPageSize };
}
