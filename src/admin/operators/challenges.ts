import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Challenges of passkeys. Each is for one purpose and one browser, ends after five minutes, and works once. It carries
 * its time and a seal, so open ones take no memory and no flood of requests can push out another browser's.
 */
export class Challenges {
  /** The key of this process: a restart ends all challenges. */
  readonly #key = randomBytes(32);
  /** A monotonic clock, because setting the system clock back must not extend a challenge. */
  readonly #now: () => number;
  /** Challenges that have worked, with a time at which they have ended anyway. */
  readonly #taken = new Map<string, number>();

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
    return isSealed && isYoung && !this.#taken.has(challenge);
  }

  /** Ends an open challenge after the response to it was verified; false if another request was faster. */
  take(challenge: string, purpose: ChallengePurpose, browser: string): boolean {
    for (const [taken, endsAt] of this.#taken) {
      if (endsAt > this.#now()) break;
      this.#taken.delete(taken);
    }
    if (this.#taken.size >= takenMax || !this.isOpen(challenge, purpose, browser)) return false;
    this.#taken.set(challenge, this.#now() + lifeMs);
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
/** Each stands for a verified response; no service has so many within five minutes. */
const takenMax = 4_096;
