import { problemBody, problemHeaders, problemOf } from '../../kernel/http/problem-body.ts';
import { logFailure } from '../../kernel/http/problem-reply.ts';
import type { Reply, ReplyHeaders } from '../../kernel/http/reply.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { strictPolicy } from '../../kernel/http/respond.ts';
import { note, type ServerContext } from '../../kernel/http/server-context.ts';

/** A good answer before it is sent. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly cookies?: readonly string[];
}

/** JSON that nobody may keep, with `headers` filled up. */
export function respondJson(
  front: ServerContext,
  request: RequestContext,
  { status, body, cookies = [] }: Answer,
  headers: ReplyHeaders,
): Reply {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  note(front, request, status, bytes);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  setFixed(headers, request, bytes);
  if (cookies.length > 0) headers['Set-Cookie'] = [...cookies];
  return { status, headers, body: text };
}

/** A refusal or failure in the one shape of error. What is not meant for callers is only logged. */
export function respondProblem(
  front: ServerContext,
  request: RequestContext,
  error: unknown,
  headers: ReplyHeaders,
): Reply {
  const { language, requestId, shownPath } = request;
  const problem = problemOf(error);
  logFailure(front, request, problem);
  const body = problemBody(problem, { language, instance: shownPath, requestId });
  note(front, request, problem.status, body.length);
  setFixed(headers, request, body.length);
  Object.assign(headers, problemHeaders(problem, language));
  return { status: problem.status, headers, body };
}

function setFixed(headers: ReplyHeaders, request: RequestContext, bytes: number): void {
  headers['Content-Length'] = String(bytes);
  headers['Cache-Control'] = 'no-store';
  headers['Content-Security-Policy'] = strictPolicy;
  headers['X-Content-Type-Options'] = 'nosniff';
  headers['X-Request-Id'] = request.requestId;
}
