import type {
  IssueBody,
  MeAnswer,
  RegisterAnswer,
  RegisterBody,
  VerifyAnswer,
} from './contract.ts';
import type { Svc } from './svc.ts';

/** Access of an adapter to a request and its response. */
interface RequestAdapter {
  header(name: 'cookie' | 'origin' | 'host' | 'sec-fetch-site'): string | null | undefined;
  /** Adds a `Set-Cookie` header to the response, without replacing others. */
  addCookie(setCookie: string): void;
}

/** The members service for one request of a browser. */
export interface Visitor {
  /** As in `Svc`. Together with `ssoLogin` it takes at most 3 s. */
  signup(registration: RegisterBody): Promise<RegisterAnswer | null>;
  /** Resolves true if cookies were added to the response. */
  ssoLogin(user: IssueBody): Promise<boolean>;
  verify(): Promise<VerifyAnswer>;
  me(): Promise<MeAnswer>;
  isAuthenticated(): Promise<boolean>;
  uid(): string | null;
  /**
   * Resolves true if a session ended, and clears the cookies. Rejects without clearing the cookies where the service cannot
   * be reached: the session lives on then.
   */
  logout(options?: { readonly scope?: 'one' | 'all' }): Promise<boolean>;
}

/** Creates the visitor of a request. */
export function createVisitor(svc: Svc, adapter: RequestAdapter): Visitor {
  const cookie = () => adapter.header('cookie');
  const relay = (cookies: readonly string[]): void => {
    for (const setCookie of cookies) adapter.addCookie(setCookie);
  };
  let remainingMs = svc.hookTimeoutMs;
  /** Runs a task in the time that is left for a sign-up and its login together. */
  async function withBudget<Answer>(task: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
    const startedAt = Date.now();
    const answer = await task(Math.max(remainingMs, 1));
    remainingMs -= Date.now() - startedAt;
    return answer;
  }
  return {
    signup: (registration) => withBudget((timeoutMs) => svc.signup(registration, { timeoutMs })),
    async ssoLogin(user) {
      const cookies = await withBudget((timeoutMs) => svc.ssoLogin(user, { timeoutMs }));
      relay(cookies);
      return cookies.length > 0;
    },
    verify: () => svc.verify(cookie()),
    me: () => svc.me(cookie()),
    isAuthenticated: () => svc.isAuthenticated(cookie()),
    uid: () => svc.uid(cookie()),
    async logout({ scope = 'one' } = {}) {
      const origin = originOf(adapter);
      const { revoked, cookies } = await svc.logout({ cookie: cookie(), origin, scope });
      relay(cookies);
      return revoked;
    },
  };
}

/** Origin of the page. Without `Origin`, the page is assumed to be at the host of the request. */
function originOf(adapter: RequestAdapter): string {
  const origin = adapter.header('origin') ?? null;
  // Forms send `null` under `Referrer-Policy: no-referrer`, but so do foreign pages. None can set `Sec-Fetch-Site`.
  const isOwn = origin === 'null' && adapter.header('sec-fetch-site') === 'same-origin';
  return origin === null || isOwn ? `https://${adapter.header('host') ?? ''}` : origin;
}
