import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';

/**
 * Stored forms of passphrases, `<salt>:<scrypt key>` in hexadecimal. They can be checked only at the cost they were
 * made with.
 */
export class Passphrases {
  readonly #cost: number;

  /** `cost` is the parameter N of scrypt. */
  constructor(cost = 32_768) {
    this.#cost = cost;
  }

  /** Stored form of a passphrase; 422 for a short or long one. */
  async storedForm(passphrase: string): Promise<string> {
    if (passphrase.length < lengthMin || passphrase.length > lengthMax) throw badPassphrase();
    const salt = randomBytes(16);
    const key = await this.#deriveKey(passphrase, salt);
    return `${salt.toString('hex')}:${key.toString('hex')}`;
  }

  /**
   * True for the right passphrase. Without a stored form it does the same work, so that response times reveal no names.
   */
  async isRight(passphrase: string, stored: string | null): Promise<boolean> {
    const [salt, key] = (stored ?? `${'00'.repeat(16)}:${'00'.repeat(32)}`).split(':');
    const typed = passphrase.slice(0, lengthMax);
    const derived = await this.#deriveKey(typed, Buffer.from(salt!, 'hex'));
    return timingSafeEqual(derived, Buffer.from(key!, 'hex')) && stored !== null;
  }

  #deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const cost = { N: this.#cost, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
    scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
    return promise;
  }
}

const lengthMin = 12;
const lengthMax = 200;

function badPassphrase(): Problem {
  return invalid(
    'validation_failed',
    '/passphrase',
    { ko: '암호가 너무 짧거나 깁니다.', en: 'The passphrase is too short or too long.' },
    {
      ko: `${lengthMin}자 이상 ${lengthMax}자 이하여야 합니다.`,
      en: `Use ${lengthMin} to ${lengthMax} characters.`,
    },
  );
}
