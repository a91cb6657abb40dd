import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import { isNamed, type RequestContext } from './request-context.ts';

/** Refuses a request that Node accepts but HTTP does not allow, or that a proxy may have read differently. */
export function refuseMalformed({ incoming, method }: RequestContext): void {
  const { url = '', headers, httpVersion } = incoming;
  if (url.length > limits.urlBytesMax) throw tooLong();
  if (method === 'CONNECT') throw tunnelRefusal();
  if (headerCount(incoming, 'host') > 1) throw malformed();
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') throw unknownCoding();
  // HTTP/1.0 requires no Host header.
  const host = headers.host ?? (httpVersion === '1.1' ? '' : 'localhost');
  if (!/^[\w.:[\]-]+$/.test(host) || !isHost(host)) throw malformed();
  if (!isTarget(url) && !(method === 'OPTIONS' && url === '*')) throw malformed();
}

function isTarget(url: string): boolean {
  if (!/^(?:\/|https?:\/\/)[^\\]*$/.test(url)) return false;
  return url.startsWith('/') || URL.canParse(url);
}

/** True for a valid host. The last one is cached: nearly all requests repeat it, and parsing costs as much as the rest. */
function isHost(host: string): boolean {
  if (host === lastValidHost) return true;
  if (!URL.canParse(`http://${host}/`)) return false;
  lastValidHost = host;
  return true;
}

let lastValidHost = '';

/** Number of headers with a name. Node joins or drops repeated ones; only the raw list has them all. */
function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at]!, name)) count++;
  }
  return count;
}

function tooLong(): Problem {
  return refusal('uri_too_long', {
    ko: `주소는 ${limits.urlBytesMax}바이트까지 쓸 수 있습니다. 매개변수를 줄이세요.`,
    en: `A URL may be up to ${limits.urlBytesMax} bytes long. Shorten its parameters.`,
  });
}

function tunnelRefusal(): Problem {
  const detail = {
    ko: '이 서버는 프록시가 아닙니다. 프록시 설정을 확인하세요.',
    en: 'This server is not a proxy and opens no tunnels. Check the proxy settings of the client.',
  };
  return new Problem('method_not_allowed', detail, {
    headers: { Allow: 'GET, HEAD, OPTIONS', Connection: 'close' },
  });
}

function unknownCoding(): Problem {
  return refusal('bad_request', {
    ko: '지원하지 않는 Transfer-Encoding입니다. chunked를 쓰세요.',
    en: 'The Transfer-Encoding is not supported. Use chunked.',
  });
}

function malformed(): Problem {
  return refusal('bad_request', {
    ko: '요청 줄이나 Host 헤더가 HTTP 규격에 맞지 않습니다. 올바른 주소와 Host 헤더 하나를 보내세요.',
    en: 'The request line or the Host header is not valid HTTP. Send a valid URL and one Host header.',
  });
}

/** A problem that closes the connection: the start of its next request is uncertain. */
function refusal(code: 'bad_request' | 'uri_too_long', detail: Problem['detail']): Problem {
  return new Problem(code, detail, { headers: { Connection: 'close' } });
}
