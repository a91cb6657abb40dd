import type { Exchange } from '../../kernel/http/exchange.ts';
import { isJson } from '../../kernel/http/json-body.ts';
import type { BilingualText } from '../../kernel/problem.ts';
import { MemberProblem } from '../problem.ts';
import type { MembersHost } from './host.ts';

/** Headers by which a page may read an answer. */
export type CrossOriginHeaders = Readonly<Record<string, string>>;

/** For exactly the origins registered for platforms, compared as a whole; any other page can read nothing. */
export async function crossOriginHeaders(
  host: MembersHost,
  exchange: Exchange,
): Promise<CrossOriginHeaders> {
  const origin = exchange.header('origin');
  if (origin === null || !(await isAllowed(host, origin))) return varying;
  return {
    ...varying,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
  };
}

/** What a preflight is told. A key is never among the headers a page may send. */
export function preflightHeaders(allowed: string, origin: CrossOriginHeaders): CrossOriginHeaders {
  if (!('Access-Control-Allow-Origin' in origin)) return { Allow: allowed, ...origin };
  return {
    Allow: allowed,
    ...origin,
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers': 'Content-Type, X-Svc-Client, X-Request-Id',
    'Access-Control-Max-Age': '600',
  };
}

/**
 * Refuses a cookie request that another site can have had sent: it must come from a registered origin or the
 * service's own, carry JSON, and the header `x-svc-client`, which a form cannot set. Answers the origin.
 */
export async function requireOwnPage(host: MembersHost, exchange: Exchange): Promise<string> {
  const origin = exchange.header('origin');
  const isSame = exchange.header('sec-fetch-site') === 'same-origin';
  const isOwn =
    origin === null ? isSame : origin === host.ownOrigin || (await isAllowed(host, origin));
  const missing = [
    ...(isOwn ? [] : [{ ko: '등록된 출처', en: 'a registered origin' }]),
    ...(isJson(exchange) ? [] : [both('Content-Type')]),
    ...(exchange.header('x-svc-client') === null ? [both('x-svc-client')] : []),
  ];
  if (missing.length === 0) return origin ?? host.ownOrigin;
  const names = (language: 'ko' | 'en') => missing.map((name) => name[language]).join(', ');
  throw new MemberProblem('csrf_rejected', {
    ko: `등록된 출처에서 Content-Type: application/json과 x-svc-client 헤더를 붙여 보내야 합니다. 이 요청에 없는 것: ${names('ko')}.`,
    en: `Send it from a registered origin, with Content-Type: application/json and the header x-svc-client. This request lacks: ${names('en')}.`,
  });
}

/** The name of a header, in either language. */
function both(name: string): BilingualText {
  return { ko: name, en: name };
}

async function isAllowed({ context }: MembersHost, origin: string): Promise<boolean> {
  // Never registered, and sent by sandboxes and files of anyone.
  if (origin === 'null') return false;
  return (await context.platforms.byOrigin(origin)).length > 0;
}

const varying = { Vary: 'Origin, Accept-Language' };
