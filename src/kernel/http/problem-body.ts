import type { Language } from '../../contract/language.ts';
import { problems } from '../../contract/problems.ts';
import { bodyErrors, Problem, type BodyError, type ProblemError } from '../problem.ts';
import { isStorageFailure, storageUnavailable } from '../storage-failure.ts';

/** Makes a problem of any error. Of an unexpected error the caller learns only `internal`. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isStorageFailure(error)) return storageUnavailable(error);
  const detail = {
    ko: '요청을 처리하지 못했습니다. 다시 시도하고, 계속되면 requestId를 운영자에게 알려 주세요.',
    en: 'The request failed. Retry; if it fails again, report the requestId to the operator.',
  };
  return new Problem('internal', detail, { cause: error });
}

interface ProblemPlace {
  readonly language: Language;
  /** Path of the request. */
  readonly instance: string;
  readonly requestId: string;
}

/** Body of a problem (RFC 9457). */
export function problemBody(
  problem: Problem,
  { language, instance, requestId }: ProblemPlace,
): Buffer<ArrayBuffer> {
  const { status, code, detail, errors, retryable } = problem;
  const type = `/docs#problem-${code}`;
  const title = problems[problem.code].title[language];
  const { extra } = problem;
  return Buffer.from(
    JSON.stringify({
      type,
      title,
      status,
      detail: detail[language],
      instance,
      code,
      errors: errors.map((error) => errorIn(error, language)),
      ...extra,
      retryable,
      requestId,
    }),
  );
}

/** A problem as the result of one item of a batch. */
export function problemResult(problem: Problem, language: Language) {
  const { status, code, detail, retryable } = problem;
  const errors = bodyErrors(problem).map((error) => bodyErrorIn(error, language));
  return { status, code, detail: detail[language], errors, retryable };
}

/** Headers of a problem, in addition to the headers of every response. */
export function problemHeaders(
  { status, headers, retryAfterS }: Problem,
  language: Language,
): Record<string, string> {
  const all: Record<string, string> = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Language': language,
    'Cache-Control': 'no-store',
    ...headers,
  };
  if (retryAfterS !== null) all['Retry-After'] = String(retryAfterS);
  // Required with a 401 (RFC 9110, 15.5.2).
  if (status === 401) all['WWW-Authenticate'] = 'ApiKey header="x-api-key"';
  return all;
}

function errorIn(error: ProblemError, language: Language): object {
  return 'parameter' in error
    ? { ...error, reason: error.reason[language] }
    : bodyErrorIn(error, language);
}

function bodyErrorIn({ pointer, code, message, fix }: BodyError, language: Language) {
  return { pointer, code, message: message[language], fix: fix[language] };
}
