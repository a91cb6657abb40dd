import { createHash } from 'node:crypto';
import type { exportContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { nearCodes } from '../refusals.ts';
import type { Stream } from '../../kernel/http/result.ts';
import type { ApiRequest } from '../serve.ts';
import { warningsHeader } from '../answers.ts';
import { contentDisposition, byteOrderMark, csvHead, csvLines } from '../../data/csv.ts';
import { ndjsonLines, rowsOf } from './rows.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { LookupStore, Page } from '../store/store.ts';

type ExportParams = RouteParameters<typeof exportContract.export>;
type ExportFormat = 'csv' | 'ndjson';

/**
 * Exports a whole axis, read and sent block by block at the client's pace. A download that was cut off lacks
 * the trailers: the number of rows and the SHA-256 of the body.
 */
export function exportAxis(params: ExportParams, store: LookupStore) {
  const { stored, format } = requireFile(params.file, store);
  return ({ warnings }: ApiRequest<LookupStore>): Stream => {
    const digest = createHash('sha256');
    let rows = 0;
    const countedPieces = async function* (): AsyncGenerator<Buffer, void> {
      for await (const { piece, count } of piecesOf(params, stored, format, store)) {
        digest.update(piece);
        rows += count;
        yield piece;
      }
    };
    return {
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      headers: {
        'X-Total-Count': String(stored.rows),
        ...warningsHeader(warnings),
        'Content-Disposition': contentDisposition(stored.axis.code, stored.axis.title, format),
      },
      trailerNames: ['X-Row-Count', 'Repr-Digest'],
      pieces: countedPieces(),
      // RFC 9530 writes a digest between colons.
      trailers: () => ({
        'X-Row-Count': String(rows),
        'Repr-Digest': `sha-256=:${digest.digest('base64')}:`,
      }),
    };
  };
}

/** The axis and the format that a file name means; 404 with suggestions if there are none. */
function requireFile(
  file: string,
  store: LookupStore,
): { readonly stored: StoredAxis; readonly format: ExportFormat } {
  const [, code, format] = /^(.+)\.(csv|ndjson)$/.exec(file) ?? [];
  const stored = code === undefined ? undefined : store.axes.get(code);
  if (stored !== undefined && (format === 'csv' || format === 'ndjson')) return { stored, format };
  const near = nearCodes(file.replace(/\.\w*$/, ''), store);
  const detail = {
    ko: '파일이 없습니다. /api/axes의 축 코드에 .csv나 .ndjson을 붙이세요.',
    en: 'There is no such file. Append .csv or .ndjson to an axis code from /api/axes.',
  };
  const suggestions = near.map((nearCode) => `/api/export/${nearCode}.csv`);
  throw new Problem('not_found', detail, { extra: { suggestions } });
}

/** Large enough to make the cost of a block negligible, small enough for many slow clients. */
const blockRows = 1_000;

async function* piecesOf(
  { header, bom }: ExportParams,
  stored: StoredAxis,
  format: ExportFormat,
  store: LookupStore,
): AsyncGenerator<{ piece: Buffer; count: number }, void> {
  if (format === 'csv') {
    const head = csvHead(stored.fields, header);
    yield { piece: Buffer.from(bom === '1' ? byteOrderMark + head : head), count: 0 };
  }
  for (let offset = 0; offset < stored.rows; offset += blockRows) {
    const page = await store.page(stored.axis.code, { offset, limit: blockRows });
    if (page.count === 0) return;
    yield { piece: pieceOf(page, stored, format), count: page.count };
  }
}

function pieceOf(page: Page, stored: StoredAxis, format: ExportFormat): Buffer {
  if (format === 'ndjson') return ndjsonLines(page.items);
  return Buffer.from(csvLines(stored.fields, rowsOf(page)));
}
