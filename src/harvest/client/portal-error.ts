import type { FaultClass } from '../../data/portal/result-codes.ts';

/** Error of a request to an upstream, made of redacted parts only. */
export class PortalError extends Error {
  /** `30`, `http_503`, `timeout`, `circuit_open` …: stable, for rules and tests. */
  readonly code: string;
  readonly class: FaultClass;
  /** Cause, without a full stop. */
  readonly reason: string;
  /** Next step for the operator, in one sentence. */
  readonly advice: string;
  /** The operation, without its query. */
  readonly operation: string;
  /** HTTP status of the last response; null without one. */
  readonly status: number | null;
  readonly attempts: number;
  /** Time from which a retry makes sense, in milliseconds; null if the operator has to act first. */
  readonly retryAt: number | null;

  constructor(parts: PortalErrorParts) {
    super(`${parts.operation}: ${parts.reason}. ${parts.advice}`);
    this.name = 'PortalError';
    this.code = parts.code;
    this.class = parts.class;
    this.reason = parts.reason;
    this.advice = parts.advice;
    this.operation = parts.operation;
    this.status = parts.status;
    this.attempts = parts.attempts;
    this.retryAt = parts.retryAt;
  }
}

/** Values from which a `PortalError` is created. */
export type PortalErrorParts = Omit<PortalError, 'name' | 'message' | 'stack' | 'cause'>;
