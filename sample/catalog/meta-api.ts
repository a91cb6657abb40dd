import type { PublishedDatasets } from '../hosts/published-datasets.ts';
import type { Listing, Row } from '../listing.ts';
import { operations, type Operation } from '../operation.ts';
import type { CatalogEntry } from './entry.ts';
import { pageNameOf } from './list-files.ts';

const sharedColumns =
  'id,list_id,title,list_title,desc,keywords,org_cd,org_nm,dept_nm,category_nm,new_category_cd,new_category_nm,created_at,updated_at,is_deleted,is_list_deleted,is_charged,share_scope_nm,meta_url,ownership_grounds,register_status,list_type,data_type,update_cycle,is_core_data';

/** The tables of the portal's catalog API, dataset 15077093 (목록/검색 조회 서비스), and their columns. */
export const metaTables: Readonly<Record<string, { summary: string; columns: readonly string[] }>> =
  {
    dataset: table('데이터셋 목록', 'page_url,swagger_json_url,ext,download_cnt,view_cnt'),
    'open-data-list': table(
      '오픈API 목록',
      'api_type,data_format,end_point_url,link_url,guide_url,operation_seq,operation_nm,operation_url,request_cnt,is_confirmed_for_dev_nm,is_confirmed_for_prod_nm,request_param_nm,request_param_nm_en,response_param_nm,response_param_nm_en,title_en',
    ),
    'file-data-list': table('파일데이터 목록', 'ext,media_type,media_cnt,download_cnt'),
    'standard-data-list': table('표준데이터 목록', 'ext,download_cnt'),
  };

/** The rows of one table; null when there is no such table. */
export function metaRows(datasets: PublishedDatasets, name: string): Listing<Row> | null {
  switch (name) {
    case 'dataset':
      return datasets.entries.filter(({ type }) => type !== 'LINKED').map(datasetRow);
    case 'open-data-list':
      return datasets.entries.filter(({ type }) => type === 'API').flatMap(operationRows);
    case 'file-data-list':
      return datasets.entries
        .filter(({ type }) => type === 'FILE')
        .flatMap((entry) => versionRows(datasets, entry));
    case 'standard-data-list':
      return datasets.entries
        .filter(({ type }) => type === 'STD')
        .map((entry) => ({ ...sharedRow(entry), ext: 'CSV', download_cnt: entry.usage }));
    default:
      return null;
  }
}

function table(
  summary: string,
  ownColumns: string,
): { summary: string; columns: readonly string[] } {
  return { summary, columns: `${sharedColumns},${ownColumns}`.split(',') };
}

function sharedRow(entry: CatalogEntry): Row {
  return {
    id: entry.number,
    list_id: entry.number,
    title: entry.title,
    list_title: entry.title,
    desc: entry.description,
    keywords: entry.keywords.join(','),
    org_cd: entry.providerCode,
    org_nm: entry.provider,
    dept_nm: entry.department,
    category_nm: entry.category,
    new_category_cd: '',
    new_category_nm: entry.category,
    created_at: entry.registered,
    updated_at: entry.modified,
    is_deleted: 'N',
    is_list_deleted: 'N',
    is_charged: '무료',
    share_scope_nm: entry.licence,
    meta_url: `https://www.data.go.kr/catalog/${entry.number}/${pageNameOf(entry.type)}.json`,
    ownership_grounds: '',
    register_status: '등록완료',
    list_type: entry.type,
    data_type: entry.type,
    update_cycle: entry.updateCycle,
    is_core_data: 'N',
  };
}

function datasetRow(entry: CatalogEntry): Row {
  return {
    ...sharedRow(entry),
    page_url: `https://www.data.go.kr/data/${entry.number}/${pageNameOf(entry.type)}.do`,
    swagger_json_url: '',
    ext: entry.formats.join(','),
    download_cnt: entry.usage,
    view_cnt: entry.views,
  };
}

/** A row for each operation of a dataset; one row of an invented operation if the sample portal serves none. */
function operationRows(entry: CatalogEntry): Row[] {
  const ownOperations = operations.filter(({ number }) => number === entry.number);
  if (ownOperations.length === 0)
    return [{ ...sharedRow(entry), ...operationColumns(null, 1), ...apiColumns(entry) }];
  return ownOperations.map((operation, index) => ({
    ...sharedRow(entry),
    ...operationColumns(operation, index + 1),
    ...apiColumns(entry),
  }));
}

function apiColumns(entry: CatalogEntry): Row {
  return {
    api_type: entry.apiType,
    data_format: 'JSON+XML',
    request_cnt: entry.usage,
    title_en: '',
  };
}

function operationColumns(operation: Operation | null, sequence: number): Row {
  const path = operation?.path ?? 'apis.data.go.kr/9990000/SampleService/getSampleList';
  const fields = operation?.fields ?? [];
  const parameters = operation === null ? [] : [...operation.required, ...operation.optional];
  return {
    end_point_url: `https://${path.slice(0, path.lastIndexOf('/'))}`,
    link_url: '',
    guide_url: '',
    operation_seq: sequence,
    operation_nm: operation?.title.split(' - ').at(-1) ?? '예시 조회',
    operation_url: `https://${path}`,
    is_confirmed_for_dev_nm: '자동승인',
    is_confirmed_for_prod_nm: '심의승인',
    request_param_nm: parameters.map(quoteLabel).join(','),
    request_param_nm_en: parameters.join(','),
    response_param_nm: fields.map(({ label }) => quoteLabel(label)).join(','),
    response_param_nm_en: fields.map(({ name }) => name).join(','),
  };
}

/** Quotes a label that contains a comma. */
function quoteLabel(label: string): string {
  return label.includes(',') ? `"${label}"` : label;
}

function versionRows(datasets: PublishedDatasets, entry: CatalogEntry): Row[] {
  const versions = datasets.files.get(entry.number)?.versions ?? [];
  const columns = { ext: entry.formats[0] ?? '', media_type: '텍스트', download_cnt: entry.usage };
  if (versions.length === 0) return [{ ...sharedRow(entry), ...columns, media_cnt: 1 }];
  return versions.map(({ detailKey, date }) => ({
    ...sharedRow(entry),
    ...columns,
    id: detailKey,
    title: `${entry.title}_${date}`,
    media_cnt: 1,
  }));
}
