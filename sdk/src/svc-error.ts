/**
 * Cause of a failed call. `status` is 0 when the service was not reached in time.
 *
 * @example
 * import { createSvc } from '@maru/sdk';
 * import { SvcError } from '@maru/sdk/svc-error';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * try {
 *   await svc.byEmail('no address');
 * } catch (error) {
 *   if (error instanceof SvcError && error.code === 'invalid_email') console.log(error.status); // 422
 * }
 */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly status: number;
  /** A problem code of the service, or `unreachable`. */
  readonly code: string;
  /** Wait that the service requires before a retry, in milliseconds. */
  readonly waitMs: number;

  constructor(status: number, code: string, message: string, waitMs = 0, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.waitMs = waitMs;
  }

  /** True if the same call can succeed later: when the service works again, or the key does. */
  get retryable(): boolean {
    const { status, code } = this;
    const isPassing = [401, 408, 429].includes(status) || passingCodes.includes(code);
    return status < 400 || status > 499 || isPassing;
  }
}

/** Refusals because of the key, the session or the address, which can change; others of their status are final. */
const passingCodes = ['insufficient_scope', 'platform_disabled', 'ambiguous_session', 'not_found'];
