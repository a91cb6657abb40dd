import { problemHeaders } from '../kernel/http/problem-body.ts';
import { readBytes } from '../kernel/http/json-body.ts';
import { limits } from '../kernel/http/limits.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import { closedPolicy } from '../kernel/http/response-policy.ts';
import { jsonType, type Content } from '../kernel/http/result.ts';
import type { ResourcePolicy, Router } from '../kernel/http/router.ts';
import { Problem } from '../kernel/problem.ts';
import type { Settings } from '../kernel/settings.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { isAllowedHost, isAllowedOrigin } from './allowed-hosts.ts';
import { describeInvalidParams } from './invalid-params.ts';

interface AgentHttpOptions {
  readonly holder: StoreHolder;
  readonly settings: Pick<Settings, 'MARU_BASE_URL'>;
  /** The current day; by default the day in Seoul. */
  readonly today?: () => string;
}

/** Adds `/mcp`, the MCP server over HTTP, to the listener of the lookup service. */
export function addAgents(router: Router, { holder, settings, today }: AgentHttpOptions): void {
  const { MARU_BASE_URL: publicUrl } = settings;
  const { log } = router.server;
  // The protocol's library is loaded with the first request, since most processes never get one.
  let handler: ReturnType<typeof loadHandler> | null = null;
  const operation = {
    admit: (request: RequestContext) => refuseForeignHost(request, publicUrl),
    read: (request: RequestContext) => readBytes(request, limits.bodyBytesMax),
    handle: async (request: RequestContext, _caller: unknown, body: Buffer): Promise<Content> => {
      refuseBatch(request, body);
      const day = today === undefined ? {} : { today };
      handler ??= loadHandler({ holder, log, ...day });
      const baseUrl = publicUrl?.replace(/\/$/, '') ?? `http://${request.header('host') ?? ''}`;
      const abort = new AbortController();
      request.outgoing.once('close', () => abort.abort());
      const answer = await (
        await handler
      )(
        new Request(`${baseUrl}/mcp`, {
          method: 'POST',
          headers: headersOf(request),
          body: new Uint8Array(body),
          signal: abort.signal,
        }),
      );
      return contentOf(answer);
    },
  };
  router.add('/mcp', operation, { method: 'POST', policy: policyFor(publicUrl) });
}

async function loadHandler(options: {
  readonly holder: StoreHolder;
  readonly log: Router['server']['log'];
  readonly today?: () => string;
}): Promise<(request: Request) => Promise<Response>> {
  const { createAgentHandler } = await import('./handler.ts');
  return createAgentHandler(options);
}

/** Refuses a `Host` header with a foreign name by 403, against DNS rebinding (MCP, Streamable HTTP, security warning). */
function refuseForeignHost(request: RequestContext, publicUrl: string | null): void {
  if (isAllowedHost(request.header('host'), publicUrl)) return;
  throw new Problem('origin_not_allowed', {
    ko: 'Host가 이 서비스의 주소가 아닙니다. 공개 주소를 MARU_BASE_URL에 설정하세요.',
    en: 'The Host header is not an address of this service. Set the public address as MARU_BASE_URL.',
  });
}

/** Refuses a JSON-RPC batch in revision 2026-07-28, which has no batches. The library's own error would blame the revision. */
function refuseBatch(request: RequestContext, body: Buffer): void {
  const isBatch = body.subarray(0, leadingBytes).toString().trimStart().startsWith('[');
  if (!isBatch || request.header('mcp-protocol-version') !== '2026-07-28') return;
  throw new Problem('bad_request', {
    ko: '2026-07-28 버전에는 일괄 요청이 없습니다. 메시지를 하나씩 보내세요.',
    en: 'Revision 2026-07-28 has no batches. Send one message per request.',
  });
}

const leadingBytes = 64;

function policyFor(publicUrl: string | null): ResourcePolicy {
  return {
    ...closedPolicy,
    hasServerTiming: true,
    preflight: {
      'Access-Control-Allow-Headers':
        'Accept, Authorization, Content-Type, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id',
      'Access-Control-Max-Age': '86400',
    },
    async allowOrigin(request, origin) {
      if (!isAllowedOrigin(origin, publicUrl)) {
        throw new Problem('origin_not_allowed', {
          ko: '이 출처의 페이지는 /mcp를 호출할 수 없습니다. 서버나 앱에서 호출하세요.',
          en: 'Pages of this origin may not call /mcp. Call it from a server or an app.',
        });
      }
      request.responseHeaders['Access-Control-Allow-Origin'] = origin;
      request.responseHeaders['Vary'] = 'Origin';
    },
    renderProblem: rpcError,
  };
}

/** Formats a problem as a JSON-RPC error. */
function rpcError(_request: RequestContext, problem: Problem): Content {
  const code = problem.status >= 500 ? -32_603 : -32_600;
  const { 'Content-Type': _type, ...headers } = problemHeaders(problem, 'en');
  const error = { code, message: problem.detail.en };
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  return { status: problem.status, type: jsonType, body, headers };
}

function headersOf(request: RequestContext): [string, string][] {
  return forwardedHeaders.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === null ? [] : [[name, value]];
  });
}

const forwardedHeaders = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

async function contentOf(answer: Response): Promise<Content> {
  const { status } = answer;
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length === 0) return { status, body: null };
  const type = answer.headers.get('content-type') ?? jsonType;
  const described = bytes.includes('"error":') ? describeInvalidParams(bytes.toString()) : null;
  return { status, type, body: described ?? bytes };
}
