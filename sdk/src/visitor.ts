import type {
  IssueBody,
  MeAnswer,
  RegisterAnswer,
  RegisterBody,
  VerifyAnswer,
} from './contract.ts';
import type { Svc } from './svc.ts';

/** What an adapter knows of a request, and what it can do to its answer. */
export interface Exchange {
  header(name: 'cookie' | 'origin' | 'host'): string | null | undefined;
  /** Adds a `Set-Cookie` header beside those that are there. */
  addCookie(setCookie: string): void;
}

/** The members service for the request at hand. */
export interface Visitor {
  /** As in `Svc`; this and `ssoLogin` take at most 3 s together. */
  signup(registration: RegisterBody): Promise<RegisterAnswer | null>;
  /** Whether the cookies were added to the answer. */
  ssoLogin(user: IssueBody): Promise<boolean>;
  verify(): Promise<VerifyAnswer>;
  me(): Promise<MeAnswer>;
  isAuthenticated(): Promise<boolean>;
  uid(): string | null;
  /** Whether a session ended. The cookies end in any case. */
  logout(options?: { readonly scope?: 'one' | 'all' }): Promise<boolean>;
}

/** Makes the visitor of a request. */
export function createVisitor(svc: Svc, exchange: Exchange): Visitor {
  const cookie = () => exchange.header('cookie');
  const relay = (cookies: readonly string[]): void => {
    for (const setCookie of cookies) exchange.addCookie(setCookie);
  };
  let leftMs = svc.hookTimeoutMs;
  /** What a sign-up and its login wait for, they wait for together. */
  async function budgeted<Answer>(task: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
    const startedAt = Date.now();
    const answer = await task(Math.max(leftMs, 1));
    leftMs -= Date.now() - startedAt;
    return answer;
  }
  return {
    signup: (registration) => budgeted((timeoutMs) => svc.signup(registration, { timeoutMs })),
    async ssoLogin(user) {
      const cookies = await budgeted((timeoutMs) => svc.ssoLogin(user, { timeoutMs }));
      relay(cookies);
      return cookies.length > 0;
    },
    verify: () => svc.verify(cookie()),
    me: () => svc.me(cookie()),
    isAuthenticated: () => svc.isAuthenticated(cookie()),
    uid: () => svc.uid(cookie()),
    async logout({ scope = 'one' } = {}) {
      // A form of the platform's own page carries its origin.
      const origin = exchange.header('origin') ?? `https://${exchange.header('host') ?? ''}`;
      const { revoked, cookies } = await svc.logout({ cookie: cookie(), origin, scope });
      relay(cookies);
      return revoked;
    },
  };
}
