/**
 * Why a call was not answered as hoped. `status` is 0 where the service was not reached in time.
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
  /** One of the service's codes, or `unreachable`. */
  readonly code: string;
  /** How long the service asked to wait, in milliseconds. */
  readonly waitMs: number;

  constructor(status: number, code: string, message: string, waitMs = 0, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.waitMs = waitMs;
  }

  /** Whether the same call can succeed later: when the service is back, or the key is in order again. */
  get retryable(): boolean {
    const { status, code } = this;
    const isAboutKey = code === 'insufficient_scope' || code === 'platform_disabled';
    return status < 400 || status > 499 || [401, 408, 409, 429].includes(status) || isAboutKey;
  }
}
