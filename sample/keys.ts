import { dayKst } from './world.ts';

/** The key of the sample portal in its decoded form, with the characters `+`, `/` and `=`. */
export const sampleKey = 'MaruSampleKey+this/is+not/a+real+key/0123456789abcdef==';

/** Credentials that the sample's search trend accepts at both of its addresses. */
export const sampleDemandKeys = { id: 'maru-sample-id', secret: 'maru-sample-secret' } as const;

export interface KeySettings {
  /** Decoded keys that are valid; the sample key if absent. */
  readonly validKeys?: readonly string[];
  /** Requests per operation from midnight to midnight in Seoul; no limit if absent. */
  readonly perDay?: number | Readonly<Record<string, number>>;
  /** Requests per second over all operations; no limit if absent. */
  readonly perSecond?: number;
}

/** Checks keys and counts their requests. */
export class KeyRegistry {
  readonly #settings: KeySettings;
  readonly #now: () => number;
  readonly #requestCounts = new Map<string, number>();
  #day = '';
  #second = 0;
  #secondCount = 0;

  constructor(settings: KeySettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * True for a valid key. `rawKey` is still percent-encoded. As on the real portal, an unencoded `+` (a space in a
   * query) or a `%252B` (encoded twice) makes the key invalid.
   */
  isValid(rawKey: string | null): boolean {
    if (rawKey === null) return false;
    const validKeys = this.#settings.validKeys ?? [sampleKey];
    try {
      return validKeys.includes(decodeURIComponent(rawKey.replaceAll('+', ' ')));
    } catch {
      return false;
    }
  }

  /** Counts a request for an operation. Returns 22 or 23 if it exceeds a limit, else null. */
  countRequest(code: string): '22' | '23' | null {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) [this.#second, this.#secondCount] = [second, 0];
    if (++this.#secondCount > (this.#settings.perSecond ?? Infinity)) return '23';
    const day = dayKst(this.#now());
    if (day !== this.#day) {
      this.#day = day;
      this.#requestCounts.clear();
    }
    const count = (this.#requestCounts.get(code) ?? 0) + 1;
    this.#requestCounts.set(code, count);
    return count > this.#perDay(code) ? '22' : null;
  }

  #perDay(code: string): number {
    const { perDay } = this.#settings;
    if (perDay === undefined || typeof perDay === 'number') return perDay ?? Infinity;
    return perDay[code] ?? Infinity;
  }
}
