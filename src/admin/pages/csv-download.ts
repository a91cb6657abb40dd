import { contentDisposition } from '../../data/csv.ts';
import type { Stream } from '../../kernel/http/result.ts';

/** A streamed CSV. Browsers save it under its title, old ones as `code.csv`. */
export function csvDownload(code: string, title: string, pieces: Stream['pieces']): Stream {
  return {
    type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': contentDisposition(code, title, 'csv') },
    trailerNames: [],
    pieces,
    trailers: () => ({}),
  };
}
