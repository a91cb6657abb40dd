import { Problem, problemTable } from '../problem.ts';
import type { RequestContext } from './request-context.ts';
import { note, type ServerContext } from './server-context.ts';
import type { Language } from './preferences.ts';
import type { Reply } from './reply.ts';
import { openToAll, serverTiming, strictPolicy } from './respond.ts';

/** Turns whatever was thrown into the one shape of error. What is not a `Problem` is ours, and only logged. */
export function problemReply(front: ServerContext, request: RequestContext, error: unknown): Reply {
  const problem = error instanceof Problem ? error : internal(error);
  if (problem.status >= 500 && problem.code !== 'no_snapshot') {
    const cause = problem.cause instanceof Error ? problem.cause : problem;
    front.log.error('request_failed', {
      id: request.requestId,
      path: request.shownPath,
      error: cause.stack ?? cause.message,
    });
  }
  const { language, requestId } = request;
  const body = problemBody(problem, { language, instance: request.shownPath, requestId });
  note(front, request, problem.status, body.length);
  const headers = problemHeaders(problem, language, requestId, body.length);
  headers['Server-Timing'] = serverTiming(request);
  return { status: problem.status, headers, body };
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
  return { headers: problemHeaders(problem, place.language, place.requestId, body.length), body };
}

export interface ProblemPlace {
  readonly language: Language;
  /** The path that was asked. */
  readonly instance: string;
  readonly requestId: string;
}

/** The body of an error: RFC 9457 with our members. */
function problemBody(problem: Problem, place: ProblemPlace): Buffer {
  const { language } = place;
  const { code, detail, errors, extra } = problem;
  return errorBody(
    {
      code,
      status: problem.status,
      title: problemTable[code][language],
      detail: detail[language],
      errors: errors.map((error) => ({ ...error, reason: error.reason[language] })),
      extra,
    },
    place,
  );
}

/** What an error says, in one language. */
export interface ErrorText {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly object[];
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The members of every error of every service, in their order. */
export function errorBody(
  error: ErrorText,
  { instance, requestId }: ProblemPlace,
): Buffer<ArrayBuffer> {
  const { code, status, title, detail, errors, extra } = error;
  const type = `/docs#problem-${code}`;
  return Buffer.from(
    JSON.stringify({ type, title, status, detail, instance, code, errors, ...extra, requestId }),
  );
}

function problemHeaders(
  problem: Problem,
  language: Language,
  requestId: string,
  length: number,
): Record<string, string> {
  return {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(length),
    'Content-Language': language,
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
    ...openToAll,
    'Content-Security-Policy': strictPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...problem.headers,
  };
}

/** What a caller is told of a fault of ours. */
export function internal(cause: unknown): Problem {
  const detail = {
    ko: '요청을 처리하지 못했습니다. 다시 시도하고, 계속되면 requestId를 알려 주세요.',
    en: 'The request could not be answered. Try again; if it goes on, report the requestId.',
  };
  return new Problem('internal', detail, { cause });
}
