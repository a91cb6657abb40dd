import type { BilingualText } from '../contract/language.ts';
import { problems, type ProblemCode } from '../contract/problems.ts';

/** An error that an HTTP caller may read; every other error is answered as `internal`. Contains no email address and no secret. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: BilingualText;
  readonly errors: readonly ProblemError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Seconds after which a retry makes sense; null if waiting changes nothing. */
  readonly retryAfterS: number | null;

  constructor(code: ProblemCode, detail: BilingualText, options: ProblemOptions = {}) {
    super(detail.en, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.retryAfterS = options.retryAfterS ?? null;
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** True if the same request can succeed later without a change by the caller. */
  get retryable(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** One fault of a request: of a parameter, or of a part of its body. */
export type ProblemError = ParameterError | BodyError;

export interface ParameterError {
  readonly parameter: string;
  readonly reason: BilingualText;
  readonly value?: string;
  readonly allowed?: readonly string[] | string;
  /** Position of the fault in the value, in UTF-16 units from 0. */
  readonly position?: number;
  /** Tokens that are valid at the position. */
  readonly expected?: readonly string[];
  /** Texts to use at the position instead. */
  readonly suggestions?: readonly string[];
}

export interface BodyError {
  /** JSON pointer into the body (RFC 6901). */
  readonly pointer: string;
  readonly code: string;
  readonly message: BilingualText;
  readonly fix: BilingualText;
}

/** The errors of a problem that are in a body. */
export function bodyErrors(problem: Problem | null): readonly BodyError[] {
  return problem === null ? [] : problem.errors.filter((error) => 'pointer' in error);
}

interface ProblemOptions {
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Properties added to the problem’s body, such as `suggestions`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly retryAfterS?: number;
  readonly cause?: unknown;
}
