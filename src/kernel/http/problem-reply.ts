import type { Language } from '../../contract/language.ts';
import type { Problem } from '../problem.ts';
import { problemBody, problemHeaders, problemOf, type ProblemPlace } from './problem-body.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { openToAll, serverTiming, strictPolicy } from './respond.ts';
import { note, type ServerContext } from './server-context.ts';

/** Answers anything that was thrown with its problem. */
export function problemReply(front: ServerContext, request: RequestContext, error: unknown): Reply {
  const problem = problemOf(error);
  if (problem.code !== 'no_snapshot') logFailure(front, request, problem);
  const { language, requestId } = request;
  const body = problemBody(problem, { language, instance: request.shownPath, requestId });
  note(front, request, problem.status, body.length);
  const headers = allHeaders(problem, language, requestId, body.length);
  headers['Server-Timing'] = serverTiming(request);
  return { status: problem.status, headers, body };
}

/** Logs a failure of ours with its cause. */
export function logFailure(front: ServerContext, request: RequestContext, problem: Problem): void {
  if (problem.status < 500) return;
  const cause = problem.cause instanceof Error ? problem.cause : problem;
  front.log.error('request_failed', {
    id: request.requestId,
    path: request.shownPath,
    error: cause.stack ?? cause.message,
  });
}

/** A refusal before any route saw the request: counted, logged and ready to be written. */
export function renderRefusal(
  front: ServerContext,
  problem: Problem,
  place: ProblemPlace,
): { headers: Record<string, string>; body: Buffer } {
  const { code, status } = problem;
  const body = problemBody(problem, place);
  front.metrics.record('other', status, 0, body.length);
  front.log.info('request_refused', { code, status, id: place.requestId });
  return { headers: allHeaders(problem, place.language, place.requestId, body.length), body };
}

function allHeaders(
  problem: Problem,
  language: Language,
  requestId: string,
  length: number,
): Record<string, string> {
  return {
    ...problemHeaders(problem, language),
    'Content-Length': String(length),
    Vary: 'Accept-Language',
    ...openToAll,
    'Content-Security-Policy': strictPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
}
