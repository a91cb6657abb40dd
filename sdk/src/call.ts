import { SvcError } from './svc-error.ts';

/** Address and credentials of the service. */
export interface Target {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly init: RequestInit;
  /** Another likely cause of an unreachable service. */
  readonly hint?: string;
}

interface CallResult<Answer> {
  readonly answer: Answer;
  readonly headers: Headers;
}

/**
 * Requests a JSON object with the member `expected`. Throws `SvcError` within `timeoutMs`, also when something else answers
 * in place of the service, such as a proxy or the log-in page of a network.
 */
export async function call<Answer extends object>(
  { url, fetch, init, hint = '' }: Target,
  path: string,
  expected: keyof Answer,
  options: {
    readonly body?: object;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  },
): Promise<CallResult<Answer>> {
  const { body, headers, timeoutMs = 5_000 } = options;
  try {
    const response = await fetch(url + path, {
      ...init,
      // A key must not follow to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...init.headers,
        ...headers,
        // Without a body no header requires a preflight.
        ...(body && { 'content-type': 'application/json', 'x-svc-client': 'sdk' }),
      } as Record<string, string>,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer & { code?: string; detail?: string };
    if (response.ok && expected in answer) return { answer, headers: response.headers };
    if (response.ok) throw new TypeError('This is not the members service.');
    throw new SvcError(
      response.status,
      answer.code ?? 'refused',
      answer.detail ?? '',
      // 0 for a date, which the service never sends.
      Math.min(Number(response.headers.get('retry-after')) || 0, retryAfterSMax) * 1_000,
    );
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const message = `The members service was not reached.${hint}`;
    throw new SvcError(0, 'unreachable', message, 0, error);
  }
}

/** Cause of a failed call for a line of the log: the code, and the advice of the service. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof SvcError)) return String(error);
  return error.status === 0 ? error.code : `${error.code}: ${error.message.replace(/\.$/, '')}`;
}

const retryAfterSMax = 3_600;
