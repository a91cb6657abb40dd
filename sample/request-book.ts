import type { Question } from './question.ts';

/** One request as it was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** Host and path. */
  readonly address: string;
  /** Without the key. */
  readonly query: ReadonlyMap<string, string>;
  /** Code of the operation; null at the other doors. */
  readonly code: string | null;
  readonly status: number;
  readonly fault: string | null;
}

/** Enough for the longest test; a longer run forgets its beginning. */
const answeredMax = 200_000;

/** Remembers what was asked, and how often the same. */
export class RequestBook {
  readonly answered: AnsweredRequest[] = [];
  readonly #attempts = new Map<string, number>();

  /** Which time this request is made, counted from 0. */
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

  note(question: Question, code: string | null, status: number, fault: string | null): void {
    if (this.answered.length >= answeredMax) this.answered.splice(0, answeredMax / 2);
    const { method, host, path, query } = question;
    this.answered.push({ method, address: host + path, query, code, status, fault });
  }
}
