import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCheckedSecret, newCheckedSecret, secretHash } from '../../members/checked-secret.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';

/**
 * The operators and their sessions. Names and scrypt hashes are in `operators.json`, sessions in memory. While there is
 * no operator, a one-time token creates the first; deleting the file makes that possible again.
 */
export class Operators {
  readonly #path: string;
  /** A monotonic clock, because setting the system clock back must not extend a wait or a session. */
  readonly #now: () => number;
  readonly #sessions = new Map<string, OperatorSession>();
  #failures = 0;
  #lastAttempt: Promise<unknown> = Promise.resolve();
  #attemptCount = 0;
  #failedAt = 0;
  #invitation: string | null;

  constructor(folder: string, now: () => number = () => performance.now()) {
    this.#path = join(folder, 'operators.json');
    this.#now = now;
    this.#invitation = this.#read().length === 0 ? newCheckedSecret('svci_') : null;
  }

  /** The one-time token; null once there is an operator. */
  get invitation(): string | null {
    return this.#invitation;
  }

  /** Creates the first operator and signs them in. The token works once. */
  createFirst(token: string, name: string, passphrase: string): Promise<string> {
    return this.#runAlone(() => this.#createFirst(token, name, passphrase));
  }

  signIn(name: string, passphrase: string): Promise<string> {
    return this.#runAlone(() => this.#signIn(name, passphrase));
  }

  async #createFirst(token: string, name: string, passphrase: string): Promise<string> {
    const invitation = this.#invitation;
    if (invitation === null || !isEqualSecret(token, invitation)) throw this.#countFailure();
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name)) throw badName();
    if (passphrase.length < 12 || passphrase.length > 200) throw badPassphrase();
    const salt = randomBytes(16);
    const key = await deriveKey(passphrase, salt);
    this.#write([...this.#read(), { name, salt: salt.toString('hex'), key: key.toString('hex') }]);
    this.#invitation = null;
    return this.#startSession(name);
  }

  async #signIn(name: string, passphrase: string): Promise<string> {
    const operator = this.#read().find((one) => one.name === name);
    // An unknown name costs the same work, so that response times do not reveal which names exist.
    const salt = Buffer.from(operator?.salt ?? '00'.repeat(16), 'hex');
    const key = await deriveKey(passphrase.slice(0, 200), salt);
    const expected = Buffer.from(operator?.key ?? '00'.repeat(32), 'hex');
    if (!timingSafeEqual(key, expected) || operator === undefined) throw this.#countFailure();
    this.#failures = 0;
    return this.#startSession(name);
  }

  /** Name of the session's operator; null without a session. It ends after eight hours, or thirty idle minutes. */
  signedInName(token: string | undefined): string | null {
    if (token === undefined || !isCheckedSecret(token, 'svco_')) return null;
    const id = secretHash(token).toString('hex');
    const session = this.#sessions.get(id);
    if (session === undefined) return null;
    const now = this.#now();
    if (now - session.startedAt >= sessionMs || now - session.seenAt >= idleMs) {
      this.#sessions.delete(id);
      return null;
    }
    session.seenAt = now;
    return session.name;
  }

  signOut(token: string): void {
    this.#sessions.delete(secretHash(token).toString('hex'));
  }

  #startSession(name: string): string {
    const token = newCheckedSecret('svco_');
    const now = this.#now();
    if (this.#sessions.size >= sessionsMax) {
      this.#sessions.delete(this.#sessions.keys().next().value!);
    }
    this.#sessions.set(secretHash(token).toString('hex'), { name, startedAt: now, seenAt: now });
    return token;
  }

  /** Runs attempts one by one: concurrent ones would all pass before the first failure is counted. */
  async #runAlone(attempt: () => Promise<string>): Promise<string> {
    if (this.#attemptCount >= attemptsMax) throw tooManyAttempts(1);
    this.#attemptCount++;
    const previous = this.#lastAttempt;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastAttempt = promise;
    try {
      await previous;
      this.#refuseEarlyAttempt();
      return await attempt();
    } finally {
      this.#attemptCount--;
      resolve();
    }
  }

  /** Each failure doubles the wait, up to five minutes, so that guessing is hopeless but no operator is locked out. */
  #refuseEarlyAttempt(): void {
    if (this.#failures < failuresWithoutWait) return;
    const waitMs = Math.min(1000 * 2 ** (this.#failures - failuresWithoutWait), waitMsMax);
    const remainingMs = this.#failedAt + waitMs - this.#now();
    if (remainingMs <= 0) return;
    throw tooManyAttempts(Math.ceil(remainingMs / 1000));
  }

  #countFailure(): Problem {
    this.#failures++;
    this.#failedAt = this.#now();
    return new Problem('session_required', {
      ko: '이름, 암호 또는 일회용 토큰이 맞지 않습니다. 확인하고 다시 입력하세요.',
      en: 'The name, passphrase or one-time token is wrong. Correct it and try again.',
    });
  }

  #read(): readonly StoredOperator[] {
    try {
      // Safe: only `#write` writes this file.
      return JSON.parse(readFileSync(this.#path, 'utf8')) as StoredOperator[];
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      const text = `${this.#path} cannot be read. Remove it to create the first operator again.`;
      throw new Error(text, { cause: error });
    }
  }

  #write(operators: readonly StoredOperator[]): void {
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(operators), { mode: 0o600, flush: true });
    renameSync(draft, this.#path);
  }
}

interface StoredOperator {
  readonly name: string;
  readonly salt: string;
  readonly key: string;
}

interface OperatorSession {
  readonly name: string;
  readonly startedAt: number;
  seenAt: number;
}

const sessionMs = 8 * 3_600_000;
const idleMs = 30 * 60_000;
const sessionsMax = 100;
const failuresWithoutWait = 3;
/** Attempts under way and waiting. */
const attemptsMax = 8;
const waitMsMax = 300_000;

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
  scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}

function tooManyAttempts(retryAfterS: number): Problem {
  const detail = {
    ko: '잠시 뒤에 다시 로그인하세요.',
    en: 'Wait a moment before the next attempt.',
  };
  return new Problem('rate_limited', detail, { retryAfterS });
}

function isEqualSecret(secret: string, expected: string): boolean {
  return timingSafeEqual(secretHash(secret), secretHash(expected));
}

function badName(): Problem {
  return invalid(
    'validation_failed',
    '/name',
    { ko: '사용할 수 없는 이름입니다.', en: 'This name cannot be used.' },
    { ko: '글자와 숫자로 40자 이하여야 합니다.', en: 'Use up to 40 letters and digits.' },
  );
}

function badPassphrase(): Problem {
  return invalid(
    'validation_failed',
    '/passphrase',
    { ko: '암호가 너무 짧거나 깁니다.', en: 'The passphrase is too short or too long.' },
    { ko: '12자 이상 200자 이하여야 합니다.', en: 'Use 12 to 200 characters.' },
  );
}
