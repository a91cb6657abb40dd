import { SvcError } from './svc-error.ts';

/** Where calls go and as whom. */
export interface Target {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly init: RequestInit;
  /** What else it can be that nothing answers. */
  readonly hint?: string;
}

export interface Reply<Answer> {
  readonly answer: Answer;
  readonly headers: Headers;
}

/**
 * Asks the service for a JSON object with the member `expected`. Throws `SvcError`, also for what answers in the service's
 * place, such as a proxy or a hotel's log-in page; within `timeoutMs` in any case.
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
): Promise<Reply<Answer>> {
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
        // Without a body nothing is sent that would need a preflight.
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
      // Also a date, which the service never sends.
      Math.min(Number(response.headers.get('retry-after')) || 0, retryAfterSMax) * 1_000,
    );
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const message = `The members service was not reached.${hint}`;
    throw new SvcError(0, 'unreachable', message, 0, error);
  }
}

/** Why a call failed, for a line of the log: the code, and what the service says to do about it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof SvcError)) return String(error);
  return error.status === 0 ? error.code : `${error.code}: ${error.message.replace(/\.$/, '')}`;
}

const retryAfterSMax = 3_600;
