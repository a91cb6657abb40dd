import { Problem } from '../../kernel/problem.ts';

/** The source of an attempt: a browser that has signed in before (`isKnown`), or an address. */
export interface Source {
  readonly key: string;
  readonly isKnown: boolean;
}

/**
 * Attempts to prove a secret, with a wait after failures. A source has to wait only after failures of its own, so that
 * a guesser cannot delay an operator. No wait is longer than five minutes.
 */
export class Attempts {
  /** A monotonic clock, because setting the system clock back must not extend a wait. */
  readonly #now: () => number;
  /** The source that failed last comes last. */
  readonly #sources = new Map<string, SourceState>();
  #unknownCount = 0;
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs an attempt. If it returns null, for a wrong secret, throws `refusal()`. Attempts of a source run one by one,
   * since concurrent ones would all start before the first failure is counted. 429 for an attempt that comes too early.
   */
  async run<Result>(
    source: Source,
    attempt: () => Promise<Result | null>,
    refusal: () => Problem = wrongCredentials,
  ): Promise<Result> {
    const state = this.#stateOf(source.key);
    if (state.count >= attemptsMax) throw tooManyAttempts(1);
    if (!source.isKnown && this.#unknownCount >= unknownMax) throw tooManyAttempts(1);
    const previous = state.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.last = promise;
    state.count++;
    if (!source.isKnown) this.#unknownCount++;
    try {
      await previous;
      this.#throwIfTooEarly(state);
      const result = await this.#runAlone(attempt);
      if (result === null) {
        this.#countFailure(source.key, state);
        throw refusal();
      }
      this.#sources.delete(source.key);
      return result;
    } finally {
      state.count--;
      if (!source.isKnown) this.#unknownCount--;
      resolve();
    }
  }

  get sourceCount(): number {
    return this.#sources.size;
  }

  /** Runs one attempt at a time over all sources: each takes 32 MB and 0.1 s of a processor. */
  #runAlone<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const work = this.#lastWork.then(attempt);
    this.#lastWork = work.catch(() => {});
    return work;
  }

  #stateOf(key: string): SourceState {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const state = { failures: 0, failedAt: 0, count: 0, last: Promise.resolve() };
    if (this.#sources.size >= sourcesMax) {
      this.#sources.delete(this.#sources.keys().next().value!);
    }
    this.#sources.set(key, state);
    return state;
  }

  /** Each failure doubles the wait, up to five minutes. That stops guessers, but locks no source out. */
  #throwIfTooEarly(state: SourceState): void {
    if (this.#now() - state.failedAt >= forgetAfterMs) state.failures = 0;
    if (state.failures < failuresWithoutWait) return;
    const waitMs = Math.min(1_000 * 2 ** (state.failures - failuresWithoutWait), waitMsMax);
    const remainingMs = state.failedAt + waitMs - this.#now();
    if (remainingMs > 0) throw tooManyAttempts(Math.ceil(remainingMs / 1_000));
  }

  #countFailure(key: string, state: SourceState): void {
    state.failures++;
    state.failedAt = this.#now();
    this.#sources.delete(key);
    this.#sources.set(key, state);
  }
}

interface SourceState {
  failures: number;
  failedAt: number;
  /** Attempts that run or wait. */
  count: number;
  /** End of the latest of these attempts. */
  last: Promise<unknown>;
}

const failuresWithoutWait = 3;
const waitMsMax = 300_000;
const forgetAfterMs = 3_600_000;
const attemptsMax = 8;
/** Attempts that run or wait, of all unknown sources together. */
const unknownMax = 16;
const sourcesMax = 4_096;

function wrongCredentials(): Problem {
  return new Problem('session_required', {
    ko: '이름, 암호, 인증 코드 또는 일회용 토큰이 맞지 않습니다. 확인하고 다시 입력하세요.',
    en: 'The name, passphrase, code or one-time token is wrong. Correct it and try again.',
  });
}

function tooManyAttempts(retryAfterS: number): Problem {
  const detail = {
    ko: '잠시 뒤에 다시 로그인하세요.',
    en: 'Wait a moment before the next attempt.',
  };
  return new Problem('rate_limited', detail, { retryAfterS });
}
