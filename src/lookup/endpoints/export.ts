import { createHash } from 'node:crypto';
import type { Flow } from '../../kernel/http/stream.ts';
import type { ApiRequest } from '../../kernel/http/api.ts';
import { warningsHeader } from '../answers.ts';
import { attachment, byteOrderMark, csvHead, csvLines } from '../csv.ts';
import { lines, rowsOf } from './rows.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { LookupStore, Page } from '../store/store.ts';

export interface ExportQuestion {
  readonly file: string;
  readonly header: 'name' | 'label';
  readonly bom: '0' | '1';
}

export type ExportFormat = 'csv' | 'ndjson';

/** The axis and format that a file's name asks for, or null. */
export function exportFile(
  file: string,
  store: LookupStore,
): { held: StoredAxis; format: ExportFormat } | null {
  const [, code, format] = /^(.+)\.(csv|ndjson)$/.exec(file) ?? [];
  const held = code === undefined ? undefined : store.axes.get(code);
  if (held === undefined || (format !== 'csv' && format !== 'ndjson')) return null;
  return { held, format };
}

/**
 * A whole axis, read and sent block by block as fast as the client takes it. A download that was cut off
 * shows: the trailers with the number of rows and the SHA-256 of the body are missing.
 */
export function exportFlow(
  question: ExportQuestion,
  { data, warnings }: ApiRequest<LookupStore>,
): Flow {
  const { held, format } = exportFile(question.file, data)!;
  const digest = createHash('sha256');
  let rows = 0;
  const counted = async function* (): AsyncGenerator<Buffer, void> {
    for await (const { piece, count } of pieces(question, held, format, data)) {
      digest.update(piece);
      rows += count;
      yield piece;
    }
  };
  return {
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    headers: {
      'X-Total-Count': String(held.rows),
      ...warningsHeader(warnings),
      'Content-Disposition': attachment(held.axis.code, held.axis.title, format),
    },
    trailerNames: ['X-Row-Count', 'Repr-Digest'],
    pieces: counted(),
    // RFC 9530 writes a digest between colons.
    trailers: () => ({
      'X-Row-Count': String(rows),
      'Repr-Digest': `sha-256=:${digest.digest('base64')}:`,
    }),
  };
}

/** Large enough that the cost of a block vanishes, small enough that a slow client holds little memory. */
const blockRows = 1_000;

async function* pieces(
  { header, bom }: ExportQuestion,
  held: StoredAxis,
  format: ExportFormat,
  store: LookupStore,
): AsyncGenerator<{ piece: Buffer; count: number }, void> {
  if (format === 'csv') {
    const head = csvHead(held.fields, header);
    yield { piece: Buffer.from(bom === '1' ? byteOrderMark + head : head), count: 0 };
  }
  for (let offset = 0; offset < held.rows; offset += blockRows) {
    const page = await store.page(held.axis.code, { offset, limit: blockRows });
    if (page.count === 0) return;
    yield { piece: pieceOf(page, held, format), count: page.count };
  }
}

function pieceOf(page: Page, held: StoredAxis, format: ExportFormat): Buffer {
  if (format === 'ndjson') return lines(page.items);
  return Buffer.from(csvLines(held.fields, rowsOf(page)));
}
