import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCheckedSecret, newCheckedSecret, secretHash } from '../../members/checked-secret.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';

/**
 * The operators: names with scrypt hashes in `operators.json`, sessions in memory. Without any, a one-time token made at
 * the start creates the first one. Removing the file starts over.
 */
export class Operators {
  readonly #path: string;
  /** A monotonic clock: a system clock that is set back must extend neither a wait nor a session. */
  readonly #now: () => number;
  readonly #sessions = new Map<string, OperatorSession>();
  #failures = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
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
  accept(token: string, name: string, passphrase: string): Promise<string> {
    return this.#inTurn(() => this.#accept(token, name, passphrase));
  }

  signIn(name: string, passphrase: string): Promise<string> {
    return this.#inTurn(() => this.#signIn(name, passphrase));
  }

  async #accept(token: string, name: string, passphrase: string): Promise<string> {
    const invitation = this.#invitation;
    if (invitation === null || !equal(token, invitation)) throw this.#fail();
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name)) throw badName();
    if (passphrase.length < 12 || passphrase.length > 200) throw badPassphrase();
    const salt = randomBytes(16);
    const key = await derive(passphrase, salt);
    this.#write([...this.#read(), { name, salt: salt.toString('hex'), key: key.toString('hex') }]);
    this.#invitation = null;
    return this.#start(name);
  }

  async #signIn(name: string, passphrase: string): Promise<string> {
    const operator = this.#read().find((one) => one.name === name);
    // An unknown name takes as much work, so that the time reveals nothing.
    const salt = Buffer.from(operator?.salt ?? '00'.repeat(16), 'hex');
    const key = await derive(passphrase.slice(0, 200), salt);
    const expected = Buffer.from(operator?.key ?? '00'.repeat(32), 'hex');
    if (!timingSafeEqual(key, expected) || operator === undefined) throw this.#fail();
    this.#failures = 0;
    return this.#start(name);
  }

  /** Name of the operator of a session, which ends after eight hours or thirty idle minutes; null without one. */
  nameOf(token: string | undefined): string | null {
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

  #start(name: string): string {
    const token = newCheckedSecret('svco_');
    const now = this.#now();
    if (this.#sessions.size >= sessionsMax) {
      this.#sessions.delete(this.#sessions.keys().next().value!);
    }
    this.#sessions.set(secretHash(token).toString('hex'), { name, startedAt: now, seenAt: now });
    return token;
  }

  /** Runs attempts one by one: concurrent ones would all pass before the first failure counts. */
  async #inTurn(attempt: () => Promise<string>): Promise<string> {
    if (this.#waiting >= waitingMax) throw tooManyAttempts(1);
    this.#waiting++;
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      await before;
      this.#refuseEarlyAttempt();
      return await attempt();
    } finally {
      this.#waiting--;
      resolve();
    }
  }

  /** Each failure doubles the wait, up to five minutes: guessing is hopeless, and no operator is locked out for good. */
  #refuseEarlyAttempt(): void {
    if (this.#failures < freeFailures) return;
    const waitMs = Math.min(1000 * 2 ** (this.#failures - freeFailures), waitMsMax);
    const leftMs = this.#failedAt + waitMs - this.#now();
    if (leftMs <= 0) return;
    throw tooManyAttempts(Math.ceil(leftMs / 1000));
  }

  #fail(): Problem {
    this.#failures++;
    this.#failedAt = this.#now();
    return new Problem('session_required', {
      ko: '이름, 암호 또는 일회용 토큰이 맞지 않습니다. 확인하고 다시 입력하세요.',
      en: 'The name, passphrase or one-time token is wrong. Correct it and try again.',
    });
  }

  #read(): readonly StoredOperator[] {
    try {
      // Only `#write` writes it.
      return JSON.parse(readFileSync(this.#path, 'utf8')) as StoredOperator[];
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw new Error(
        `${this.#path} cannot be read. Remove it to create the first operator again.`,
        {
          cause: error,
        },
      );
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
const freeFailures = 3;
/** Attempts in the queue. Each takes 32 MB while its passphrase is hashed. */
const waitingMax = 8;
const waitMsMax = 300_000;

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
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

function equal(given: string, expected: string): boolean {
  return timingSafeEqual(secretHash(given), secretHash(expected));
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
