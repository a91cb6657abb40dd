import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import type { RequestContext } from './request-context.ts';

/** Refuses a request that Node parsed and HTTP does not allow, or that a proxy before us may read differently. */
export function refuseMalformed({ incoming, method }: RequestContext): void {
  const { url = '', headers, httpVersion } = incoming;
  if (url.length > limits.urlBytesMax) throw tooLong();
  if (method === 'CONNECT') throw noTunnel();
  if (headerCount(incoming, 'host') > 1) throw malformed();
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') throw unknownCoding();
  // HTTP/1.0 need not name a host.
  const host = headers.host ?? (httpVersion === '1.1' ? '' : 'localhost');
  if (!/^[\w.:[\]-]+$/.test(host) || !isHost(host)) throw malformed();
  if (!isTarget(url) && !(method === 'OPTIONS' && url === '*')) throw malformed();
}

function isTarget(url: string): boolean {
  if (!/^(?:\/|https?:\/\/)[^\\]*$/.test(url)) return false;
  return url.startsWith('/') || URL.canParse(url);
}

/** Nearly all requests name the host of the one before: parsing it again costs as much as the other checks. */
function isHost(host: string): boolean {
  if (host === knownHost) return true;
  if (!URL.canParse(`http://${host}/`)) return false;
  knownHost = host;
  return true;
}

let knownHost = '';

/** Number of headers of a name. Node joins or drops repeated ones: only the raw list has them all. */
function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

function tooLong(): Problem {
  return refusal('uri_too_long', {
    ko: `주소는 ${limits.urlBytesMax}바이트까지 쓸 수 있습니다.`,
    en: `A request target may be up to ${limits.urlBytesMax} bytes long.`,
  });
}

function noTunnel(): Problem {
  const detail = { ko: '터널은 제공하지 않습니다.', en: 'This server is no proxy.' };
  return new Problem('method_not_allowed', detail, {
    headers: { Allow: 'GET, HEAD, OPTIONS', Connection: 'close' },
  });
}

function unknownCoding(): Problem {
  return refusal('bad_request', {
    ko: 'Transfer-Encoding은 chunked만 받습니다.',
    en: 'The only supported Transfer-Encoding is chunked.',
  });
}

function malformed(): Problem {
  return refusal('bad_request', {
    ko: '요청 줄이나 Host 헤더가 HTTP 규격에 맞지 않습니다.',
    en: 'The request line or the Host header is not valid HTTP.',
  });
}

/** The connection is closed: its next request may begin elsewhere than it seems. */
function refusal(code: 'bad_request' | 'uri_too_long', detail: Problem['detail']): Problem {
  return new Problem(code, detail, { headers: { Connection: 'close' } });
}
