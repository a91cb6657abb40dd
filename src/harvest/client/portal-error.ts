import type { FaultClass } from '../../data/portal/result-codes.ts';

/** A call that brought no answer. Made from redacted parts only; nothing in it tells the key. */
export class PortalError extends Error {
  /** `30`, `http_503`, `timeout`, `circuit_open` …: stable, for rules and tests. */
  readonly code: string;
  readonly class: FaultClass;
  /** What to do next, in one sentence. */
  readonly advice: string;
  /** The operation, without its query. */
  readonly operation: string;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  readonly attempts: number;
  /** When asking again makes sense, in milliseconds; null where only a person can tell. */
  readonly retryAt: number | null;

  constructor(parts: PortalErrorParts) {
    super(`${parts.operation}: ${parts.message}. ${parts.advice}`);
    this.name = 'PortalError';
    this.code = parts.code;
    this.class = parts.class;
    this.advice = parts.advice;
    this.operation = parts.operation;
    this.status = parts.status;
    this.attempts = parts.attempts;
    this.retryAt = parts.retryAt;
  }
}

export interface PortalErrorParts {
  readonly code: string;
  readonly class: FaultClass;
  /** What happened, without a full stop. */
  readonly message: string;
  readonly advice: string;
  readonly operation: string;
  readonly status: number | null;
  readonly attempts: number;
  readonly retryAt: number | null;
}
