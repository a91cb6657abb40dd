import { closedPolicy } from '../../kernel/http/response-policy.ts';
import type { ResourcePolicy } from '../../kernel/http/router.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { isJson } from '../../kernel/http/json-body.ts';
import type { BilingualText } from '../../contract/language.ts';
import { Problem } from '../../kernel/problem.ts';
import type { MembersHost } from './host.ts';

/** Lets only origins that are registered for platforms read responses. Origins are compared as whole texts. */
export function membersPolicy(host: MembersHost): ResourcePolicy {
  const headers = { Vary: 'Origin, Accept-Language' };
  return {
    ...closedPolicy,
    headers,
    bodyHeaders: { ...headers, ...closedPolicy.bodyHeaders },
    // A key is never among the headers that a page may send.
    preflight: {
      'Access-Control-Allow-Headers': 'Content-Type, X-Svc-Client, X-Request-Id',
      'Access-Control-Max-Age': '600',
    },
    async allowOrigin(request, origin) {
      if (!(await isRegistered(host, origin))) return;
      request.responseHeaders['Access-Control-Allow-Origin'] = origin;
      request.responseHeaders['Access-Control-Allow-Credentials'] = 'true';
      request.responseHeaders['Access-Control-Expose-Headers'] =
        'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
    },
  };
}

/**
 * Refuses a request with cookies that another site may have caused (CSRF). The origin must be registered or the
 * service's own. The body must be JSON, and `x-svc-client` must be set, which a form cannot do. Returns the origin.
 */
export async function requireOwnPage(host: MembersHost, request: RequestContext): Promise<string> {
  const origin = originOf(host, request);
  const isOwn =
    origin === host.ownOrigin || (origin !== null && (await isRegistered(host, origin)));
  const missing = [
    ...(isOwn ? [] : [{ ko: '등록된 출처', en: 'a registered origin' }]),
    ...(isJson(request) ? [] : [both('Content-Type')]),
    ...(request.header('x-svc-client') === null ? [both('x-svc-client')] : []),
  ];
  if (origin !== null && missing.length === 0) return origin;
  const names = (language: 'ko' | 'en') => missing.map((name) => name[language]).join(', ');
  throw new Problem('csrf_rejected', {
    ko: `등록된 출처에서 Content-Type: application/json과 x-svc-client 헤더를 붙여 보내야 합니다. 이 요청에 없는 것: ${names('ko')}.`,
    en: `Send it from a registered origin, with Content-Type: application/json and the header x-svc-client. This request lacks: ${names('en')}.`,
  });
}

/** Origin of a page, unchecked; null if unknown. Browsers omit the header when a page reads from its own origin. */
export function originOf({ ownOrigin }: MembersHost, request: RequestContext): string | null {
  const isSame = request.header('sec-fetch-site') === 'same-origin';
  return request.header('origin') ?? (isSame ? ownOrigin : null);
}

/** The name of a header, in either language. */
function both(name: string): BilingualText {
  return { ko: name, en: name };
}

async function isRegistered({ context }: MembersHost, origin: string): Promise<boolean> {
  // Sandboxed frames and local files send `null`, so it identifies no platform.
  if (origin === 'null') return false;
  return (await context.platforms.byOrigin(origin)).length > 0;
}
