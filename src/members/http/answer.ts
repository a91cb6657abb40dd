import type { Reply, ReplyHeaders } from '../../kernel/http/reply.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { note, type ServerContext } from '../../kernel/http/server-context.ts';
import type { Language } from '../../kernel/http/preferences.ts';
import { errorBody, internal, type ErrorText } from '../../kernel/http/problem-reply.ts';
import { strictPolicy } from '../../kernel/http/respond.ts';
import { Problem, problemTable } from '../../kernel/problem.ts';
import { MemberProblem, memberProblemTable } from '../problem.ts';
import { isStorageFailure, storageUnavailable } from '../store/storage-failure.ts';

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
  const told = tellable(error);
  const text = errorText(told, language);
  if (text.status >= 500) logFailure(front, request, told);
  const bytes = errorBody(text, { language, instance: shownPath, requestId });
  note(front, request, text.status, bytes.length);
  headers['Content-Type'] = 'application/problem+json; charset=utf-8';
  headers['Content-Language'] = language;
  setFixed(headers, request, bytes.length);
  if (told instanceof Problem) Object.assign(headers, told.headers);
  else if (told.retryAfterS !== null) headers['Retry-After'] = String(told.retryAfterS);
  // RFC 9110 15.5.2: a 401 names the way to authenticate.
  if (text.status === 401) headers['WWW-Authenticate'] = 'ApiKey header="x-api-key"';
  return { status: text.status, headers, body: bytes };
}

/** A refusal as it stands in the place of one result of a batch. */
export function problemResult(problem: MemberProblem, language: Language): object {
  const { status, code, detail, errors, extra } = errorText(problem, language);
  return { status, code, detail, errors, ...extra };
}

function tellable(error: unknown): MemberProblem | Problem {
  if (error instanceof MemberProblem || error instanceof Problem) return error;
  // A read that the disk or the file failed; writes tell so themselves.
  return isStorageFailure(error) ? storageUnavailable(error) : internal(error);
}

function errorText(problem: MemberProblem | Problem, language: Language): ErrorText {
  const { status, detail } = problem;
  if (problem instanceof Problem) {
    const title = problemTable[problem.code][language];
    const extra = { retryable: status >= 500 || status === 408 };
    return { code: problem.code, status, title, detail: detail[language], errors: [], extra };
  }
  return {
    code: problem.code,
    status,
    title: memberProblemTable[problem.code][language],
    detail: detail[language],
    errors: problem.errors.map(({ pointer, code, message, fix }) => ({
      pointer,
      code,
      message: message[language],
      fix: fix[language],
    })),
    extra: { retryable: problem.retryable },
  };
}

function logFailure(
  front: ServerContext,
  request: RequestContext,
  problem: MemberProblem | Problem,
): void {
  const cause = problem.cause instanceof Error ? problem.cause : problem;
  front.log.error('request_failed', {
    id: request.requestId,
    path: request.shownPath,
    error: cause.stack ?? cause.message,
  });
}

function setFixed(headers: ReplyHeaders, request: RequestContext, bytes: number): void {
  headers['Content-Length'] = String(bytes);
  headers['Cache-Control'] = 'no-store';
  headers['Content-Security-Policy'] = strictPolicy;
  headers['X-Content-Type-Options'] = 'nosniff';
  headers['X-Request-Id'] = request.requestId;
}
