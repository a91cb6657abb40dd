import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../data/snapshot/durable.ts';
import { isObject, parseObject } from '../../kernel/json-object.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { PortalError } from '../client/portal-error.ts';
import type { RunContext } from '../runs/run-context.ts';
import { datasetOfFileName } from '../../ingest/files/dataset-name.ts';
import type { SendOptions } from '../client/client.ts';
import type { PortalSite } from './portal-site.ts';
import { standardOperation } from './standard-operation.ts';

/** Upstreams that return a dataset page by page; both need a key. */
export type PagedUpstream = 'odcloud' | 'standard';

/** The table that a run collects, chosen before its first page. A resumed run uses the same table. */
export interface PagedTable {
  readonly upstream: PagedUpstream;
  /** Host and path, without a scheme. */
  readonly path: string;
  /** Title, with the reference date at its end if there is one. */
  readonly title: string;
  readonly date: string | null;
  /** Columns that the source publishes; empty if it publishes none. */
  readonly columns: readonly string[];
}

/** The stored table of a run; null if none is chosen yet, or if the run downloads a file. */
export function storedTable({ folder }: RunFolder): PagedTable | null {
  const path = join(folder, fileName);
  // Written by `storeTable` only.
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PagedTable) : null;
}

/** Stores the table of a run durably. */
export function storeTable({ folder }: RunFolder, table: PagedTable): void {
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, fileName), `${JSON.stringify(table, null, 1)}\n`);
}

/** Removes the stored table of a run, so that the run may use another upstream when it is resumed. */
export function clearStoredTable({ folder }: RunFolder): void {
  rmSync(join(folder, fileName), { force: true });
}

/** Finds the table of a dataset. Throws `PortalError` if there is none. */
export async function findTable(
  upstream: PagedUpstream,
  number: string,
  site: PortalSite,
  options: SendOptions,
): Promise<PagedTable> {
  return upstream === 'odcloud' ? newestTable(number, site, options) : standardTable(number);
}

type RunFolder = Pick<RunContext, 'folder'>;

const fileName = 'table.json';

function standardTable(number: string): PagedTable {
  const standard = standardOperation(number);
  if (standard === undefined) {
    throw new PortalError({
      code: 'no_operation',
      class: 'request',
      reason: `no operation of the standard data is known for ${number}`,
      advice: `Remove --via, or load its file: \`./maru load FILE --axis file_${number}\`.`,
      operation: 'api.data.go.kr/openapi',
      status: null,
      attempts: 0,
      retryAt: null,
    });
  }
  const path = `api.data.go.kr/openapi/${standard.operation}`;
  return { upstream: 'standard', path, title: standard.title, date: null, columns: [] };
}

/** Finds the newest version. The Swagger document has a path for each version, with its title and date. */
async function newestTable(
  number: string,
  site: PortalSite,
  options: SendOptions,
): Promise<PagedTable> {
  const parameters = { namespace: `${number}/v1` };
  const request = { path: 'infuser.odcloud.kr/oas/docs', parameters };
  const read = (text: string) => readSwagger(text, number);
  const { tables } = await site.fetchPage(request, read, options);
  return tables.reduce((newest, each) => ((each.date ?? '') > (newest.date ?? '') ? each : newest));
}

/** Reads the tables of a Swagger document; a document without tables is a fault. */
export function readSwagger(
  text: string,
  number: string,
): { readonly tables: readonly PagedTable[] } | Fault {
  const root = parseObject(text);
  if (root === null)
    return { class: 'retry', code: 'not_data', message: 'the response is no Swagger document' };
  // An unregistered dataset is answered by a negative `code`.
  if (Number(root['code']) < 0 || !isObject(root['paths'])) return missingTable;
  const definitions = isObject(root['definitions']) ? root['definitions'] : {};
  const tables = Object.entries(root['paths']).flatMap(([path, operations]): PagedTable[] => {
    const detailKey = new RegExp(`^/${number}/v1/([^/]+)$`).exec(path)?.[1];
    if (detailKey === undefined || !isObject(operations)) return [];
    const { get } = operations;
    const title = isObject(get) && typeof get['summary'] === 'string' ? get['summary'] : '';
    const model = definitions[`${detailKey}_model`];
    const properties = isObject(model) && isObject(model['properties']) ? model['properties'] : {};
    return [
      {
        upstream: 'odcloud',
        path: `api.odcloud.kr/api/${number}/v1/${detailKey}`,
        title,
        date: datasetOfFileName(title).referenceDate,
        columns: Object.keys(properties),
      },
    ];
  });
  return tables.length === 0 ? missingTable : { tables };
}

const missingTable: Fault = {
  class: 'request',
  code: 'no_file',
  message: 'api.odcloud.kr does not offer this dataset; its file may have several sheets',
};
