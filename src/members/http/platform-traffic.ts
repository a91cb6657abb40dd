import { Problem } from '../../kernel/problem.ts';

/**
 * Requests of each platform since the start: the latest ones, the refused ones by code, and single sign-on. In memory,
 * a few numbers for each platform and problem code; requests with the operator's key belong to no platform.
 */
export class PlatformTraffic {
  readonly since: number;
  readonly #byPlatform = new Map<number, MutableTraffic>();

  constructor(since: number) {
    this.since = since;
  }

  of(platformId: number): Traffic {
    return this.#byPlatform.get(platformId) ?? new MutableTraffic();
  }

  /** Counts an answered request to a route of the members contract. */
  noteAnswer(platformId: number, route: string, body: object, now: number): void {
    const traffic = this.#at(platformId);
    traffic.calls++;
    traffic.lastCallAt = now;
    if (eventRoutes.has(route)) traffic.lastEventAt = now;
    if (registrationRoutes.has(route)) traffic.lastRegistrationAt = now;
    if (isSso(route)) {
      traffic.ssoAttempts++;
      if (refusesSignIn(body)) traffic.ssoFailures++;
    }
    for (const { code } of entriesOf(body)) if (code !== undefined) traffic.addRefusal(code);
  }

  /** Counts a refused request, but no failure of the service. */
  noteRefusal(platformId: number, route: string, error: unknown, now: number): void {
    if (!(error instanceof Problem) || error.status >= 500) return;
    const traffic = this.#at(platformId);
    traffic.calls++;
    traffic.lastCallAt = now;
    traffic.addRefusal(error.code);
    if (!isSso(route)) return;
    traffic.ssoAttempts++;
    traffic.ssoFailures++;
  }

  #at(platformId: number): MutableTraffic {
    const known = this.#byPlatform.get(platformId);
    if (known !== undefined) return known;
    const traffic = new MutableTraffic();
    this.#byPlatform.set(platformId, traffic);
    return traffic;
  }
}

/** Requests of a platform since the start. */
interface Traffic {
  readonly calls: number;
  readonly lastCallAt: number | null;
  readonly lastEventAt: number | null;
  readonly lastRegistrationAt: number | null;
  /** By problem code, with the refused entries of batches. */
  readonly refusals: ReadonlyMap<string, number>;
  /**
   * Requests to issue or verify single sign-on. `ssoFailures` are refused, or sign no user in although a session is
   * live.
   */
  readonly ssoAttempts: number;
  readonly ssoFailures: number;
}

class MutableTraffic implements Traffic {
  calls = 0;
  lastCallAt: number | null = null;
  lastEventAt: number | null = null;
  lastRegistrationAt: number | null = null;
  readonly refusals = new Map<string, number>();
  ssoAttempts = 0;
  ssoFailures = 0;

  addRefusal(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}

const eventRoutes: ReadonlySet<string> = new Set(['event', 'eventBatch', 'cardIssued']);
const registrationRoutes: ReadonlySet<string> = new Set(['register', 'registerBatch']);

function isSso(route: string): boolean {
  return route === 'issue' || route === 'verify';
}

/** True for a verdict that does not sign in the user of a live session. */
function refusesSignIn(body: { readonly sign_in_allowed?: boolean; readonly reason?: unknown }) {
  return body.sign_in_allowed === false && body.reason !== 'session_ended';
}

/** Results of a batch; the results of refused entries have a problem code. */
function entriesOf(body: { readonly results?: readonly { readonly code?: string }[] }) {
  return body.results ?? [];
}
