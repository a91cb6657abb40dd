import { portalPage } from '../../data/portal/portal-page.ts';
import type { RunContext } from '../runs/run-context.ts';
import { collectPages } from './list-pages.ts';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer } from '../protocol/answer.ts';
import type { PortalClient } from '../client/portal-client.ts';
import type { RawRow } from '../protocol/envelope.ts';
import { firstPageOnlyError } from '../protocol/first-page-only.ts';
import type { UpstreamRequest } from '../client/request.ts';
import { EntryCollector } from '../../ingest/catalog/entry-collector.ts';
import type { CatalogColumn } from '../../ingest/catalog/entry.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { catalogLimits } from './limits.ts';
import type { CatalogReport } from '../../ingest/catalog/read.ts';

interface MetaCatalog {
  /** Number of datasets by which the pages differ from the total. */
  readonly mismatch: number;
  /** Ids of datasets that were taken off the portal. */
  readonly deleted: ReadonlySet<string>;
}

/**
 * Collects the table `dataset` of the meta API 15077093, one row a dataset, newer than the monthly list file.
 * Without a client only stored pages are read. A key without permission gets the first page again and again.
 */
export async function collectMeta(
  run: RunContext,
  client: PortalClient | null,
  entries: EntryTable,
  report: CatalogReport,
): Promise<MetaCatalog> {
  const collector = new EntryCollector(entries, report);
  const deleted = new Set<string>();
  const { items, mismatch, isFirstRepeated } = await collectPages<RawRow>(
    {
      keyOf: (page) => JSON.stringify(requestOf(page).parameters),
      fetch: client && ((page) => client.call(requestOf(page), { signal: run.signal })),
      read: ({ body, status }) => {
        const answer = readAnswer(body, status);
        if (isFault(answer)) throw new Error(`A stored response is a fault: ${answer.message}.`);
        const total = answer.total ?? answer.rows.length;
        return { items: answer.rows, total, size: catalogLimits.apiPageSize };
      },
    },
    run.store,
    catalogLimits.pagesMax,
    (rows, pages) => {
      for (const row of rows) {
        const entry = collector.add((column) => valueOf(row, column));
        if (entry !== null && isDeleted(row)) deleted.add(entry.id);
      }
      run.count(rows.length, pages);
    },
  );
  if (isFirstRepeated || (mismatch > 0 && items === catalogLimits.apiPageSize)) {
    throw firstPageOnlyError(path, portalPage('15077093', 'API'));
  }
  for (const id of deleted) entries.remove(id);
  return { deleted, mismatch };
}

const path = 'api.odcloud.kr/api/15077093/v1/dataset';

function requestOf(page: number): UpstreamRequest {
  const perPage = String(catalogLimits.apiPageSize);
  return {
    path,
    service: 'api.odcloud.kr/api/15077093',
    key: { in: 'query', name: 'serviceKey' },
    parameters: { page: String(page), perPage, returnType: 'JSON' },
    dailyQuota: catalogLimits.apiDailyQuota,
    portalId: '15077093',
  };
}

function isDeleted(row: RawRow): boolean {
  return row['is_deleted'] === 'Y' || row['is_list_deleted'] === 'Y';
}

/** Names in the table of each column of the list file; the first name with a value counts. */
const namesByColumn: Readonly<Record<CatalogColumn, readonly string[]>> = {
  number: ['id', 'list_id'],
  type: ['list_type', 'data_type'],
  title: ['list_title', 'title'],
  provider: ['org_nm'],
  category: ['new_category_nm', 'category_nm'],
  keywords: ['keywords'],
  description: ['desc'],
  formats: ['ext', 'data_format'],
  license: ['share_scope_nm'],
  created: ['created_at'],
  modified: ['updated_at'],
  updateCycle: ['update_cycle'],
  views: ['view_cnt'],
  requests: ['download_cnt', 'request_cnt'],
  url: ['page_url'],
};

function valueOf(row: RawRow, column: CatalogColumn): unknown {
  return namesByColumn[column].map((name) => row[name] ?? '').find((value) => value !== '');
}
