import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Challenges for passkeys. Each is for one purpose and one browser, ends after five minutes, and works once. It
 * contains its time and a seal, so open challenges take no memory, and a flood of requests cannot push out another
 * browser's.
 */
export class Challenges {
  /** The key of this process: a restart ends all challenges. */
  readonly #key = randomBytes(32);
  /** A monotonic clock, because setting the system clock back must not extend a challenge. */
  readonly #now: () => number;
  /** Used challenges, with a time after which they have ended in any case. */
  readonly #used = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new challenge in base64url. `browser` is a text that only this browser can send. */
  issue(purpose: ChallengePurpose, browser: string): string {
    const head = Buffer.concat([Buffer.alloc(timeBytes), randomBytes(16)]);
    head.writeDoubleBE(this.#now());
    return Buffer.concat([head, this.#sealOf(head, purpose, browser)]).toString('base64url');
  }

  isOpen(challenge: string, purpose: ChallengePurpose, browser: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== headBytes + sealBytes || bytes.toString('base64url') !== challenge)
      return false;
    const head = bytes.subarray(0, headBytes);
    const isSealed = timingSafeEqual(
      bytes.subarray(headBytes),
      this.#sealOf(head, purpose, browser),
    );
    const isYoung = this.#now() - head.readDoubleBE() < lifeMs;
    return isSealed && isYoung && !this.#used.has(challenge);
  }

  /** Ends an open challenge after the response to it was verified; false if another request was faster. */
  take(challenge: string, purpose: ChallengePurpose, browser: string): boolean {
    for (const [used, endsAt] of this.#used) {
      if (endsAt > this.#now()) break;
      this.#used.delete(used);
    }
    if (this.#used.size >= usedMax || !this.isOpen(challenge, purpose, browser)) return false;
    this.#used.set(challenge, this.#now() + lifeMs);
    return true;
  }

  #sealOf(head: Uint8Array, purpose: ChallengePurpose, browser: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(`${purpose}\n${browser}`).digest();
  }
}

export type ChallengePurpose = 'sign-in' | 'confirm' | 'add';

/** Life of a challenge. */
export const lifeMs = 300_000;

const timeBytes = 8;
const headBytes = timeBytes + 16;
const sealBytes = 32;
/** Used challenges stem from verified responses: no service has so many within five minutes. */
const usedMax = 4_096;
