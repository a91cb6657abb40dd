import { contentDisposition } from '../../data/csv.ts';
import type { Stream } from '../../kernel/http/result.ts';

/** A streamed CSV that browsers save as `code.csv`, or under its title. */
export function csvDownload(code: string, title: string, pieces: Stream['pieces']): Stream {
  return {
    type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': contentDisposition(code, title, 'csv') },
    trailerNames: [],
    pieces,
    trailers: () => ({}),
  };
}
