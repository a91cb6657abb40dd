import { Problem } from '../../kernel/problem.ts';

/** The place that an attempt comes from: a browser that has signed in before, or an address. */
export interface Source {
  readonly key: string;
  readonly isKnown: boolean;
}

/**
 * Attempts to prove a secret, with a wait after failures. Each source waits for its own failures alone, so that a
 * guesser holds off no operator. No wait is longer than five minutes.
 */
export class Attempts {
  /** A monotonic clock, because setting the system clock back must not extend a wait. */
  readonly #now: () => number;
  /** The source that failed last comes last. */
  readonly #sources = new Map<string, SourceState>();
  #strangers = 0;
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs an attempt, which returns null for a wrong secret; then throws `refusal`. Attempts of a source run one by one,
   * since concurrent ones would all pass before the first failure is counted. 429 for one that comes too early.
   */
  async run<Result>(
    source: Source,
    attempt: () => Promise<Result | null>,
    refusal: () => Problem = wrongCredentials,
  ): Promise<Result> {
    const state = this.#stateOf(source.key);
    if (state.count >= attemptsMax) throw tooManyAttempts(1);
    if (!source.isKnown && this.#strangers >= strangersMax) throw tooManyAttempts(1);
    const previous = state.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.last = promise;
    state.count++;
    if (!source.isKnown) this.#strangers++;
    try {
      await previous;
      this.#refuseEarly(state);
      const result = await this.#alone(attempt);
      if (result === null) {
        this.#countFailure(source.key, state);
        throw refusal();
      }
      this.#sources.delete(source.key);
      return result;
    } finally {
      state.count--;
      if (!source.isKnown) this.#strangers--;
      resolve();
    }
  }

  get sourceCount(): number {
    return this.#sources.size;
  }

  /** One at a time over all sources: each takes 32 MB and 0.1 s of a processor. */
  #alone<Result>(attempt: () => Promise<Result>): Promise<Result> {
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

  /** Each failure doubles the wait, up to five minutes: guessing is hopeless, and no source is locked out. */
  #refuseEarly(state: SourceState): void {
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
  /** Attempts under way and waiting. */
  count: number;
  last: Promise<unknown>;
}

const failuresWithoutWait = 3;
const waitMsMax = 300_000;
const forgetAfterMs = 3_600_000;
const attemptsMax = 8;
/** Attempts under way over all addresses. Browsers that have signed in before are not counted. */
const strangersMax = 16;
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
