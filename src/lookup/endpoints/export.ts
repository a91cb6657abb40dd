import type { exportContract } from '../../contract/export-routes.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { contentDisposition } from '../../data/csv.ts';
import type { CheckedParameters } from '../../kernel/http/parameters.ts';
import type { FileContent, RepeatableBody, Stream } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { warningsHeader } from '../answers.ts';
import { exportBody, exportFormats, type ExportFormat } from '../exports/export-body.ts';
import { selectedRecords, wholeAxis, type ExportSource } from '../exports/export-source.ts';
import { fileTitle } from '../exports/file-title.ts';
import { refuseFormat, refuseLength } from '../exports/refuse-format.ts';
import { explainFilters } from '../foreign-filters.ts';
import { nearCodes } from '../refusals.ts';
import { readRowsQuery } from '../selected-page.ts';
import { columnsOf } from '../selection.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore } from '../store/store.ts';

type ExportParams = RouteParameters<typeof exportContract.export>;

/**
 * Exports all records of an axis, or those that a query selects. A whole axis has its length and digest, and parts of
 * it if the request names a range; a selection is read and sent block by block at the client's pace. A stream that was
 * cut off lacks the trailers: the number of rows and the SHA-256 of the body.
 */
export function exportAxis(params: ExportParams, store: LookupStore, given: CheckedParameters) {
  const { stored, format } = requireFile(params.file, store);
  refusePages(given);
  explainFilters(given, columnsOf(stored));
  const query = readRowsQuery(params, stored);
  const isWholeAxis = !query.needsColumns && params.sido === undefined;
  refuseFormat(format, { ...stored, fields: query.fields ?? stored.fields });
  if (isWholeAxis) refuseLength(format, stored.rows);
  return async (request: ApiRequest<LookupStore>): Promise<ExportFile> => {
    request.warnings.push(...query.warnings);
    const { code } = stored.axis;
    const source = isWholeAxis
      ? wholeAxis(stored, store)
      : await selectedRecords(query, stored, request);
    refuseLength(format, source.total);
    const headers = {
      'X-Total-Count': String(source.total),
      ...warningsHeader(request.warnings),
      'Content-Disposition': contentDisposition(code, fileTitle(params, stored), format),
    };
    const file = isWholeAxis && format === 'parquet' ? store.parquet(code) : null;
    if (file !== null) return { type: exportFormats.parquet, headers, ...file };
    return isWholeAxis
      ? repeatableOf(format, source, params, headers)
      : streamOf(format, source, params, headers);
  };
}

type ExportFile = Stream | FileContent | RepeatableBody;

/** Refuses parameters of pages: a file with all records would be taken for the part that they name. */
function refusePages({ unknown }: CheckedParameters): void {
  const errors = unknown
    .filter(({ name }) => pageParameters.has(name))
    .map(({ name }) => ({ parameter: name, reason: noPages }));
  if (errors.length === 0) return;
  const names = errors.map(({ parameter }) => parameter).join(', ');
  const detail = { ko: `${names}: ${noPages.ko}`, en: `${names}: ${noPages.en}` };
  throw new Problem('invalid_parameter', detail, { errors });
}

const pageParameters: ReadonlySet<string> = new Set(['limit', 'offset', 'cursor']);
const noPages = {
  ko: '파일에는 조건에 맞는 레코드가 모두 들어갑니다. 일부만 받으려면 /api/data/axis를 쓰세요.',
  en: 'A file has all records that its conditions select. Use /api/data/axis for a part of them.',
};

/** The axis and the format that a file name means; 404 with suggestions if there are none. */
function requireFile(
  file: string,
  store: LookupStore,
): { readonly stored: StoredAxis; readonly format: ExportFormat } {
  const [, code, format] = /^(.+)\.(csv|ndjson|geojson|xlsx|parquet)$/.exec(file) ?? [];
  const stored = code === undefined ? undefined : store.axes.get(code);
  // The pattern has the formats.
  if (stored !== undefined) return { stored, format: format as ExportFormat };
  const near = nearCodes(file.replace(/\.\w*$/, ''), store);
  const detail = {
    ko: '파일이 없습니다. /api/axes의 축 코드에 .csv, .ndjson, .geojson, .xlsx, .parquet 중 하나를 붙이세요.',
    en: 'There is no such file. Append .csv, .ndjson, .geojson, .xlsx or .parquet to an axis code from /api/axes.',
  };
  const suggestions = near.map((nearCode) => `/api/export/${nearCode}.csv`);
  throw new Problem('not_found', detail, { extra: { suggestions } });
}

/** A file that is written block by block, with its number of rows and its digest in trailers. */
export function streamOf(
  format: ExportFormat,
  source: ExportSource,
  params: Headings,
  headers: Readonly<Record<string, string>>,
): Stream {
  let rows = 0;
  const counted = async function* () {
    for await (const block of source.blocks()) {
      rows += block.count;
      yield block;
    }
  };
  return {
    ...partsOf(format, headers),
    pieces: exportBody(format, source, counted(), bodyOptions(format, params)),
    trailers: () => ({ 'X-Row-Count': String(rows) }),
  };
}

/** A file of a whole axis: a function of the snapshot, so that it can be written again from any block. */
function repeatableOf(
  format: ExportFormat,
  source: ExportSource,
  params: ExportParams,
  headers: Readonly<Record<string, string>>,
): RepeatableBody {
  const options = bodyOptions(format, params);
  // The first piece of CSV is its headings.
  const firstBlock = format === 'csv' ? 1 : 0;
  return {
    ...partsOf(format, headers),
    write: (first) => {
      const blocks = source.blocks(Math.max(0, first - firstBlock));
      return exportBody(format, source, blocks, { ...options, isContinued: first > 0 });
    },
    isSeekable: format === 'csv' || format === 'ndjson',
    expectedMs: (source.total * source.columns.length) / cellsOfMs[format],
    trailers: () => ({ 'X-Row-Count': String(source.total) }),
  };
}

/** Cells that are written in a millisecond on a busy machine. */
const cellsOfMs = { csv: 3_000, ndjson: 7_000, geojson: 2_000, xlsx: 1_000, parquet: 2_000 };

function partsOf(format: ExportFormat, headers: Readonly<Record<string, string>>) {
  return {
    type: exportFormats[format],
    headers,
    trailerNames: ['X-Row-Count'],
    isDigested: true,
    isCompressible: format !== 'xlsx' && format !== 'parquet',
  };
}

type Headings = Pick<ExportParams, 'header' | 'bom'>;

function bodyOptions(format: ExportFormat, { header, bom }: Headings) {
  const heading = header ?? (format === 'xlsx' ? 'label' : 'name');
  return { heading, hasMark: bom === '1' };
}
