import type { PortalRequest } from './portal-request.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** Host and path. */
  readonly address: string;
  /** Without the key. */
  readonly query: ReadonlyMap<string, string>;
  /** Code of the operation; null at the other hosts. */
  readonly code: string | null;
  readonly status: number;
  readonly fault: string | null;
}

/** Most requests that the log holds, enough for the longest test; a longer run drops the oldest half of them. */
const answeredMax = 200_000;

/** Records answered requests and counts the attempts of each. */
export class RequestLog {
  readonly answered: AnsweredRequest[] = [];
  readonly #attempts = new Map<string, number>();

  /** Counts an attempt of a request; returns its number, from 0. */
  countAttempt(identity: string): number {
    const attempt = (this.#attempts.get(identity) ?? -1) + 1;
    this.#attempts.set(identity, attempt);
    return attempt;
  }

  attemptOf(identity: string): number {
    return this.#attempts.get(identity) ?? 0;
  }

  forgetAttempts(): void {
    this.#attempts.clear();
  }

  add(request: PortalRequest, code: string | null, status: number, fault: string | null): void {
    if (this.answered.length >= answeredMax) this.answered.splice(0, answeredMax / 2);
    const { method, host, path, query } = request;
    this.answered.push({ method, address: host + path, query, code, status, fault });
  }
}
