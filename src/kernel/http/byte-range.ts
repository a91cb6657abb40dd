import { Problem } from '../problem.ts';
import type { RequestContext, ResponseHeaders } from './request-context.ts';
import type { FileContent } from './result.ts';

/** Positions of the first byte of a range and of the first byte after it. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The range of a file that a request selects (RFC 9110, 14); null for the whole file. Throws 416 for a range past its end. */
export function rangeOf(
  request: RequestContext,
  { length }: FileContent,
  headers: ResponseHeaders,
): ByteRange | null {
  const header = request.method === 'GET' ? request.header('range') : null;
  if (header === null || !isCurrent(request.header('if-range'), headers)) return null;
  const range = parseRange(header, length);
  if (range === null || range.start < range.end) return range;
  const detail = {
    ko: `이 파일은 ${length}바이트입니다. 범위를 그 안에서 정하세요.`,
    en: `The file has ${length} bytes. Choose a range within it.`,
  };
  const contentRange = { 'Content-Range': `bytes */${length}`, 'Accept-Ranges': 'bytes' };
  throw new Problem('range_not_satisfiable', detail, { headers: contentRange });
}

/** Reads a header with one range: null if it is malformed or has several ranges, an empty range if it is past the end. */
export function parseRange(header: string, length: number): ByteRange | null {
  if (header.length > headerLengthMax) return null;
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return { start: Math.max(0, length - Number(last)), end: length };
  const start = Number(first);
  const end = last === '' ? length : Math.min(length, Number(last) + 1);
  if (last !== '' && Number(last) < start) return null;
  return start < length ? { start, end } : { start: 0, end: 0 };
}

/** Blanks in a longer header would take quadratic time; two numbers take 40 characters. */
const headerLengthMax = 200;

/** True if `If-Range`, a tag or a date, is absent or matches the current representation. */
function isCurrent(condition: string | null, headers: ResponseHeaders): boolean {
  if (condition === null) return true;
  const validator = condition.trim();
  return validator === headers['ETag'] || validator === headers['Last-Modified'];
}
