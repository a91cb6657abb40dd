import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../problem.ts';
import { refuseMalformed } from './malformed-request.ts';
import { problemBody, problemHeaders, problemOf } from './problem-body.ts';
import { RequestContext } from './request-context.ts';
import type { Content, Result } from './result.ts';
import type { Operation, Resource, Router } from './router.ts';
import { send } from './send.ts';

/** Answers a request of any listener. Every error becomes a response; a failure of the server is also logged. */
export async function answerRequest(
  router: Router,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new RequestContext(router.server, router.missing, incoming, outgoing);
  try {
    const sent = send(request, await resultOf(router, request));
    if (sent instanceof Promise) await sent;
  } catch (error) {
    await sendProblem(router, request, error);
  }
}

/**
 * Runs the steps of a request in order. A step ends the request by throwing a `Problem`; `send` follows the last step.
 * Only promises are awaited, because each wait adds a hundredth to the time of a small answer.
 */
async function resultOf(router: Router, request: RequestContext): Promise<Result> {
  // 1. Request line, Host and Transfer-Encoding: 400, 414.
  refuseMalformed(request);
  // 2. Path: 404.
  const resource = findResource(router, request);
  // 3. Origins that may read the response.
  const origin = request.header('origin');
  if (origin !== null) await resource.policy.allowOrigin?.(request, origin);
  // 4. Method: 204 for OPTIONS, 405.
  if (request.method === 'OPTIONS') return preflight(resource, request);
  const operation = findOperation(resource, request);
  // 5. Caller, by key, session or operator; then scope and rate limit: 401, 403, 429.
  const admitted = operation.admit?.(request);
  const caller = admitted instanceof Promise ? await admitted : admitted;
  try {
    // 6. Parameters and body: 400, 413, 415.
    const read = operation.read?.(request, caller);
    const input = read instanceof Promise ? await read : read;
    // 7. Conditional request, then the handler.
    const result = operation.handle(request, caller, input);
    return result instanceof Promise ? await result : result;
  } catch (error) {
    await operation.noteRefusal?.(caller, error);
    throw error;
  }
}

function findResource(router: Router, request: RequestContext): Resource {
  const resource = router.find(request.path);
  if (resource !== null) {
    request.resource = resource;
    return resource;
  }
  if (request.method === 'OPTIONS') return router.missing;
  throw router.notFound(request.path);
}

function findOperation(resource: Resource, request: RequestContext): Operation {
  const { operations, allow, policy } = resource;
  const operation = operations.get(request.method === 'HEAD' ? 'GET' : request.method);
  if (operation !== undefined) return operation;
  policy.refuseMethod?.(request);
  const detail = { ko: `이 주소는 ${allow}만 받습니다.`, en: `This path accepts ${allow} only.` };
  throw new Problem('method_not_allowed', detail, { headers: { Allow: allow } });
}

function preflight({ policy, allow }: Resource, request: RequestContext): Content {
  const headers: Record<string, string> = { Allow: allow };
  const isReadable =
    'Access-Control-Allow-Origin' in policy.headers ||
    'Access-Control-Allow-Origin' in request.responseHeaders;
  if (isReadable)
    Object.assign(headers, policy.preflight, { 'Access-Control-Allow-Methods': allow });
  return { status: 204, body: null, headers };
}

async function sendProblem(router: Router, request: RequestContext, error: unknown): Promise<void> {
  const { log } = router.server;
  const { outgoing } = request;
  const problem = problemOf(error);
  if (problem.status >= 500 && !isExpected(problem, request)) {
    const cause = problem.cause instanceof Error ? problem.cause : problem;
    const { id, shownPath: path } = request;
    log.error('request_failed', { id, path, error: cause.stack ?? cause.message });
  }
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const { policy } = router.find(request.path) ?? router.missing;
  await send(
    request,
    (await policy.renderProblem?.(request, problem)) ?? problemContent(request, problem),
  );
}

/** True for an error that is not a failure of the server: no snapshot yet, overload, or a client that has gone. */
function isExpected({ code, cause }: Problem, { outgoing }: RequestContext): boolean {
  const isAbort = cause instanceof Error && cause.name === 'AbortError';
  return code === 'no_snapshot' || code === 'overloaded' || (isAbort && outgoing.destroyed);
}

/** A problem as JSON (RFC 9457). */
function problemContent(request: RequestContext, problem: Problem): Content {
  const { language, shownPath: instance, id: requestId, resource } = request;
  const { 'Content-Type': type, ...headers } = problemHeaders(problem, language);
  headers['Vary'] = resource.policy.headers['Vary'] ?? 'Accept-Language';
  const body = problemBody(problem, { language, instance, requestId });
  return { status: problem.status, type: type!, body, headers };
}
