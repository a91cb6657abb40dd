import type { exportContract } from '../../contract/export-routes.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { contentDisposition } from '../../data/csv.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import type { Stream } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { termWarnings, warningsHeader } from '../answers.ts';
import { selectedRecords, type ExportSource, type RecordBlock } from '../exports/export-source.ts';
import { hitColumns, hitObject, hitRow } from '../exports/hit-columns.ts';
import { readRegion } from '../requested-region.ts';
import { readRowsQuery } from '../selected-page.ts';
import type { ApiRequest } from '../serve.ts';
import { nothingFound, type LookupStore, type SearchResult } from '../store/store.ts';
import { remainingQuery } from '../remaining-query.ts';
import { streamOf } from './export.ts';
import { requireTerms } from './search.ts';

type SearchExportParams = RouteParameters<typeof exportContract.searchExport>;

/** Most records that a file of search results may have. */
export const foundRecordsMax = 10_000;

/**
 * Exports all records that a search finds, dataset by dataset, with the address of each record's page. Throws 400
 * `search_too_large` before the first byte.
 */
export function exportSearch(baseUrl: string | null) {
  return (params: SearchExportParams, store: LookupStore) => {
    const { format } = params;
    if (!isFormat(format)) throw noFormat();
    const { terms, text, ...parsed } = requireTerms(params.q);
    return async (request: ApiRequest<LookupStore>): Promise<Stream> => {
      const { warnings, isAbandoned } = request;
      const region = readRegion(params, () => [...store.axes.values()]);
      warnings.push(...termWarnings({ terms, text, ...parsed }), ...(region?.warnings ?? []));
      const scope = typeof region?.code === 'string' ? { region: region.code } : {};
      const query = { terms, text, ...scope, limit: 0, offset: 0 };
      const found = region?.code === null ? nothingFound : await store.search(query, isAbandoned);
      const { total, totalRelation } = found;
      if (total > foundRecordsMax || totalRelation === 'gte') throw tooMany(found);
      const source: ExportSource = {
        title: params.q,
        fields: [],
        columns: hitColumns,
        total,
        blocks: () => blocksOf(sampleLast(found, store), terms, params, request, baseUrl ?? ''),
      };
      const headers = {
        'X-Total-Count': String(total),
        ...warningsHeader(warnings),
        'Content-Disposition': contentDisposition('search', params.q, format),
      };
      return streamOf(format, source, params, headers);
    };
  };
}

/** The found records, one dataset after the other, in the columns that all files of search results have. */
async function* blocksOf(
  axes: readonly StoredAxis[],
  terms: readonly SearchTerm[],
  { sido, sigungu }: SearchExportParams,
  request: ApiRequest<LookupStore>,
  baseUrl: string,
): AsyncGenerator<RecordBlock, void> {
  for (const stored of axes) {
    const q = remainingQuery(terms, stored.axis.code, request.data);
    const query = readRowsQuery({ ...noParams, q, sido, sigungu, with: 'id' }, stored);
    const { blocks } = await selectedRecords(query, stored, request);
    for await (const { count, rows: records } of blocks()) {
      const rows = () => records().map((record) => hitRow(record, stored, baseUrl));
      const items = () => {
        const objects = records().map((record) => hitObject(record, stored, baseUrl));
        return Buffer.from(objects.join(',\n'));
      };
      yield { count, rows, items, wholeRows: rows };
    }
  }
}

/** The axes in which a search found records, those of sample data last. */
function sampleLast({ axes }: SearchResult, store: LookupStore): StoredAxis[] {
  const found = axes.first(foundRecordsMax).map(({ axis }) => store.axes.get(axis)!);
  const [sample = [], real = []] = [true, false].map((isSample) =>
    found.filter(({ axis }) => (axis.origin === 'sample') === isSample),
  );
  return [...real, ...sample];
}

const noParams = { where: undefined, near: undefined, radius: undefined, bbox: undefined, seed: 0 };

const formats = ['csv', 'ndjson', 'xlsx'] as const;

function isFormat(text: string): text is (typeof formats)[number] {
  return formats.some((format) => format === text);
}

function noFormat(): Problem {
  const detail = {
    ko: '그런 형식이 없습니다. csv, ndjson, xlsx 중에서 고르세요.',
    en: 'There is no such format. Choose csv, ndjson or xlsx.',
  };
  const suggestions = formats.map((format) => `/api/export/search/${format}`);
  return new Problem('not_found', detail, { extra: { suggestions } });
}

function tooMany({ total }: SearchResult): Problem {
  return new Problem('search_too_large', {
    ko: `찾은 레코드가 ${total}건 이상입니다. 한 파일에는 ${foundRecordsMax}건까지 담습니다.`,
    en: `The search finds ${total} records or more. A file has up to ${foundRecordsMax}.`,
  });
}
